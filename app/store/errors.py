"""What can go wrong when something is kept or fetched; the web room maps each class to one status code."""

from __future__ import annotations

from typing import ClassVar

from app.domain.text import Text


class StoreError(Exception):
    """Base of all store errors: a stable code and one sentence that says what to do."""

    code: ClassVar[str] = "STORE_ERROR"

    def __init__(self, message: Text) -> None:
        super().__init__(message.en)
        self.message = message


class NotFoundError(StoreError):
    """There is no such project, document, offer, fact or file, or it belongs to another project."""

    code = "NOT_FOUND"

    def __init__(self, entity: str, entity_id: str) -> None:
        self.entity = entity
        self.entity_id = entity_id
        super().__init__(
            Text(
                "找不到所请求的内容，它可能已被删除。请返回项目列表重新选择。",
                "What you asked for was not found; it may have been deleted. Return to the list of projects.",
            )
        )


class ConflictError(StoreError):
    """Somebody changed it first: `expected` is the version the person saw, `actual` the one stored now.

    `current` is the stored record, so that a page can show both versions side by side.
    """

    code = "CONFLICT"

    def __init__(
        self,
        entity: str,
        entity_id: str,
        *,
        expected: int | None = None,
        actual: int | None = None,
        changed_by: str = "",
        current: object = None,
        message: Text | None = None,
    ) -> None:
        self.entity = entity
        self.entity_id = entity_id
        self.expected = expected
        self.actual = actual
        self.changed_by = changed_by
        self.current = current
        super().__init__(message or _changed(expected, actual, changed_by))


def _changed(expected: int | None, actual: int | None, changed_by: str) -> Text:
    known = expected is not None and actual is not None
    seen_zh = f"（您看到的是第 {expected} 版，现在是第 {actual} 版）" if known else ""
    seen_en = f" (you saw version {expected}, it is now version {actual})" if known else ""
    return Text(
        f"在您编辑期间，{changed_by or '其他人'}已修改过这里{seen_zh}。您的修改没有保存，请核对现在的内容后重做。",
        f"While you were editing, {changed_by or 'somebody'} changed this{seen_en}. "
        "Your change was not saved; check what is there now and repeat it.",
    )


class StorageFullError(StoreError):
    """The disk has no room; nothing was stored."""

    code = "STORAGE_FULL"

    def __init__(self) -> None:
        super().__init__(
            Text(
                "存储空间不足，没有保存任何内容。请清理磁盘后重试。",
                "The disk is full; nothing was saved. Free some space and try again.",
            )
        )


class BusyError(StoreError):
    """The database did not answer in time; trying again is safe."""

    code = "BUSY"

    def __init__(self) -> None:
        super().__init__(
            Text(
                "数据库正忙，没有保存任何内容。请稍后重试。",
                "The database is busy; nothing was saved. Try again in a moment.",
            )
        )


class DatabaseFaultError(StoreError):
    """The database refused a statement: a fault of the program.

    Names the kind of the error only. The error itself quotes the row it refused, and no vendor's figure may
    reach a log.
    """

    code = "DATABASE_FAULT"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(
            Text(
                f"数据库出错（{kind}），没有保存任何内容。请重试；若仍出错，请把这句话告诉管理员。",
                f"The database reported a fault ({kind}); nothing was saved. Try again, and if it stays, "
                "show this sentence to the administrator.",
            )
        )


class DatabaseRefusedError(StoreError):
    """The database cannot be used: newer schema, foreign file, unfit file system, failed migration."""

    code = "DATABASE_REFUSED"
