import { useState, type ReactNode } from 'react';
import { texts } from '../texts/parts.js';

interface ConfirmButtonProps {
  readonly label: string;
  /** On the button of the second click. */
  readonly confirm: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be undone: it is done with a second click. */
export function ConfirmButton({ label, confirm, busy, onConfirm }: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button className="button" type="button" disabled={busy} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  }
  return (
    <>
      <button
        className="button primary"
        type="button"
        disabled={busy}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {confirm}
      </button>
      <button className="button" type="button" onClick={() => setAsking(false)}>
        {texts.cancel}
      </button>
    </>
  );
}
