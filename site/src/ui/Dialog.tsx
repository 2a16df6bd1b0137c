import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { IconButton } from "./Button";

interface DialogProps {
  title: string;
  open: boolean;
  onClose: () => void;
  /** "center": in the middle; "side": a sheet at the right edge; "bottom": a sheet from below. */
  place?: "center" | "side" | "bottom";
  children: ReactNode;
}

/** A modal dialog: the browser's own, so focus stays inside, Escape closes it and focus returns. */
export function Dialog({ title, open, onClose, place = "center", children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog === null || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  // The dialog's own box is covered by its content, so a click on the element itself is one beside it.
  const closeOutside = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };
  return (
    <dialog ref={element} className={`dialog dialog-${place}`} aria-label={title} onClose={onClose} onClick={closeOutside}>
      {open && (
        <div className="dialog-content">
          <div className="dialog-head">
            <h2>{title}</h2>
            <IconButton icon="close" label="Close" onClick={onClose} />
          </div>
          <div className="dialog-body">{children}</div>
        </div>
      )}
    </dialog>
  );
}
