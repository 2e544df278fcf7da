import { useState, type ReactNode } from 'react';
import { texts } from '../texts/parts.js';

interface ConfirmButtonProps {
  readonly label: string;
  /** What it is done to, where several buttons have the same label: for those who do not see the row. */
  readonly subject?: string;
  /** On the button of the second click. */
  readonly confirm: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

/** A button for what cannot be undone: it is done with a second click. */
export function ConfirmButton({ label, subject, confirm, busy, onConfirm }: ConfirmButtonProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const named = (text: string): string | undefined => subject && texts.actionOn(text, subject);
  if (!isAsking) {
    return (
      <button
        className="button"
        type="button"
        aria-label={named(label)}
        disabled={busy}
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
    );
  }
  return (
    <>
      <button
        className="button primary"
        type="button"
        aria-label={named(confirm)}
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
