# Linewise in one container: `docker compose up`, then http://127.0.0.1:8000
FROM python:3.12-slim

# Pango draws the PDF; without libharfbuzz-subset0 that takes several times longer.
# Our own typeface is in static/fonts; the Droid font is for rarer characters.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      fonts-droid-fallback libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /srv/linewise linewise

WORKDIR /srv/linewise
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.txt

COPY . .
RUN pip install --no-cache-dir --no-deps --no-build-isolation --editable . \
 && install -d -o linewise /var/lib/linewise

USER linewise
ENV LINEWISE_DATA=/var/lib/linewise PYTHONUNBUFFERED=1 XDG_CACHE_HOME=/tmp
VOLUME /var/lib/linewise
EXPOSE 8000
HEALTHCHECK --start-period=20s CMD ["python", "-c", \
  "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=3)"]
CMD ["linewise", "serve", "--host", "0.0.0.0", "--port", "8000"]
