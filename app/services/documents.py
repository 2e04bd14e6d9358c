"""Vendors' files: upload with an outcome for each, list, fetch, delete.

Files are read before any transaction begins, in the sandbox of `app.sheets`. Then each file is stored in a
transaction of its own, so that one bad file loses only itself.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.services.typed_text import clean_actor, file_label
from app.sheets.sandbox import read_files_safely
from app.store.errors import BusyError, ConflictError, DatabaseFaultError, StorageFullError
from app.store.records import READ

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.problems import Notice
    from app.sheets.reading import FileReading
    from app.store.records import DocumentRecord, OfferRecord
    from app.store.unit_of_work import Store, UnitOfWork

    Reader = Callable[[Sequence[tuple[str, bytes]]], list[FileReading]]

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one upload may hold."""

    file_bytes: int = 20 * MIB
    files: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOutcome:
    """What became of one file.

    `outcome`: `stored` (new), `same` (these bytes are here already), `refused` (could not be read; kept in
    the list with the reason) or `rejected` (not kept at all). `code` and `message` say why.
    `replaced` are the offers of an older file of that name that the new one takes the place of.
    """

    name: str
    outcome: str
    document: DocumentRecord | None = None
    code: str | None = None
    message: Text | None = None
    notices: tuple[Notice, ...] = ()
    offers: tuple[OfferRecord, ...] = ()
    replaced: tuple[OfferRecord, ...] = ()


def list_documents(store: Store, project_id: str) -> tuple[DocumentRecord, ...]:
    """The files of a project, in the order of upload."""
    with store.read() as unit:
        unit.projects.get(project_id)
        return unit.documents.of(project_id)


def fetch_original(store: Store, project_id: str, document_id: str) -> tuple[DocumentRecord, bytes]:
    """One file as it was uploaded."""
    with store.read() as unit:
        document = unit.documents.get(project_id, document_id)
    return document, store.originals.get(document.sha256)


def upload(
    store: Store,
    project_id: str,
    files: Sequence[tuple[str, bytes]],
    actor: str = "",
    limits: Limits | None = None,
    reader: Reader | None = None,
) -> tuple[FileOutcome, ...]:
    """Read and keep several files; answers with one outcome a file, in their order.

    Raises `InputError` when there is no file or there are too many, `StorageFullError` when they do not fit;
    then nothing is stored.
    """
    limits, reader = limits or Limits(), reader or read_files_safely
    actor = clean_actor(actor, required=False)
    _check_count(files, limits)
    named = [(file_label(name), content) for name, content in files]
    hashes = [hashlib.sha256(content).hexdigest() for _, content in named]
    with store.read() as unit:
        unit.projects.get(project_id)
        known = {d.sha256 for d in unit.documents.of(project_id) if d.status != "refused"}
    wanted: dict[str, tuple[str, bytes]] = {}
    for (name, content), sha256 in zip(named, hashes, strict=True):
        if sha256 not in known and _unfit(content, limits) is None:
            wanted.setdefault(sha256, (name, content))
    store.originals.check_room(sum(len(content) for _, content in wanted.values()))
    readings = dict(zip(wanted, reader(list(wanted.values())) if wanted else [], strict=True))
    outcomes = []
    for (name, content), sha256 in zip(named, hashes, strict=True):
        refusal = _unfit(content, limits)
        outcomes.append(
            FileOutcome(name=name, outcome="rejected", code=refusal[0], message=refusal[1])
            if refusal
            else _keep(store, project_id, name, content, actor, readings.get(sha256))
        )
    return tuple(outcomes)


def _check_count(files: Sequence[tuple[str, bytes]], limits: Limits) -> None:
    if not files:
        message = Text("请选择至少一个文件。", "Choose at least one file.")
        raise InputError([Problem("NO_FILE", "file", message)])
    if len(files) > limits.files:
        message = Text(
            f"一次最多上传 {limits.files} 个文件，收到 {len(files)} 个。请分批上传。",
            f"At most {limits.files} files at once; {len(files)} were sent. Upload them in parts.",
        )
        raise InputError([Problem("TOO_MANY_FILES", "file", message)])


def _unfit(content: bytes, limits: Limits) -> tuple[str, Text] | None:
    if not content:
        return "EMPTY_FILE", Text("文件是空的。请核对后重新上传。", "The file is empty. Check it and upload it again.")
    if len(content) > limits.file_bytes:
        size, most = len(content) / MIB, limits.file_bytes / MIB
        return "FILE_TOO_LARGE", Text(
            f"文件有 {size:.1f} MiB，上限为 {most:g} MiB。请拆分或去掉图片后重新上传。",
            f"The file has {size:.1f} MiB; the limit is {most:g} MiB. Split it or take out the pictures.",
        )
    return None


def _keep(
    store: Store, project_id: str, name: str, content: bytes, actor: str, reading: FileReading | None
) -> FileOutcome:
    try:
        sha256 = store.originals.put(content)
        with store.write() as unit:
            return _keep_in(unit, project_id, name, content, actor, sha256, reading)
    except (BusyError, ConflictError, DatabaseFaultError, StorageFullError) as error:
        return FileOutcome(name=name, outcome="rejected", code=error.code, message=error.message)


def _keep_in(
    unit: UnitOfWork,
    project_id: str,
    name: str,
    content: bytes,
    actor: str,
    sha256: str,
    reading: FileReading | None,
) -> FileOutcome:
    unit.projects.lock(project_id)
    unit.documents.lock_originals()
    known = unit.documents.by_hash(project_id, sha256)
    if known is not None and (reading is None or known.status != "refused"):
        return _same(name, known)
    if reading is None:  # the same bytes were here when the upload began
        raise ConflictError("document", sha256)
    unit.originals.put(content)  # a clean-up may have run since: free when the file is still there
    return _store_reading(unit, project_id, name, len(content), actor, reading, known)


def _same(name: str, known: DocumentRecord) -> FileOutcome:
    message = Text(
        f"这个文件已在项目中（{known.name}），没有重复保存。",
        f"This file is in the project already ({known.name}); it was not stored twice.",
    )
    return FileOutcome(
        name=name, outcome="same", document=known, code="SAME_FILE", message=message, notices=known.notices
    )


def _store_reading(
    unit: UnitOfWork,
    project_id: str,
    name: str,
    size: int,
    actor: str,
    reading: FileReading,
    known: DocumentRecord | None,
) -> FileOutcome:
    values: dict[str, Any] = {
        "kind": reading.kind, "size": size, "pages": reading.pages, "status": reading.status,
        "code": reading.code, "message": reading.message.as_json() if reading.message else None,
        "notices": [n.as_json() for n in reading.notices],
    }  # fmt: skip
    if known is None:
        document = unit.documents.add(project_id, name, actor, values | {"sha256": reading.sha256})
    else:
        document = unit.documents.refresh(project_id, known.id, actor, values)
    unit.audit.add(project_id, actor, "uploaded", "document", document.id, new=f"{name} ({reading.status})")
    replaced = _make_room(unit, project_id, actor, document, {o.key for o in reading.offers})
    offers = tuple(
        unit.offers.add(project_id, offer, actor, origin=READ, document_id=document.id) for offer in reading.offers
    )
    return FileOutcome(
        name=name, outcome="refused" if reading.status == "refused" else "stored", document=document,
        code=reading.code, message=reading.message, notices=tuple(reading.notices), offers=offers,
        replaced=replaced,
    )  # fmt: skip


def _make_room(
    unit: UnitOfWork, project_id: str, actor: str, document: DocumentRecord, keys: set[tuple[str, str]]
) -> tuple[OfferRecord, ...]:
    """Set aside the same offers read from older files of that name; they can be brought back."""
    older = {d.id for d in unit.documents.of(project_id) if d.name == document.name and d.id != document.id}
    gone = []
    for offer in unit.offers.of(project_id) if older and keys else ():
        if offer.document_id in older and offer.key in keys:
            gone.append(unit.offers.set_deleted(project_id, offer.id, offer.version, actor, deleted=True))
            unit.audit.add(
                project_id, actor, "replaced", "offer", offer.id, new=document.id,
                reason=f"{document.name} #{document.revision}",
            )  # fmt: skip
    return tuple(gone)


def delete_document(store: Store, project_id: str, document_id: str, actor: str, version: int) -> None:
    """Delete a file with the offers read from it and, unless used elsewhere, its bytes."""
    actor = clean_actor(actor, required=False)
    with store.write() as unit:
        document = unit.documents.delete(project_id, document_id, version)
        unit.audit.add(project_id, actor, "deleted", "document", document_id, old=document.name)
    store.remove_unwanted(frozenset({document.sha256}))
    store.forget_deleted()
