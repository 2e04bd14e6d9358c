// Starts Swagger UI without an inline script: <div id="swagger-ui" data-url="/openapi.json"></div>
"use strict";

const root = document.getElementById("swagger-ui");

window.SwaggerUIBundle({
  domNode: root,
  url: root.dataset.url,
  deepLinking: true,
  validatorUrl: null, // nothing leaves this server
  presets: [window.SwaggerUIBundle.presets.apis],
});
