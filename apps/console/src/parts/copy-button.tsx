import { useState, type ReactNode } from 'react';
import { texts } from '../texts/parts.js';

interface CopyButtonProps {
  readonly text: () => string;
  readonly children: string;
}

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, children }: CopyButtonProps): ReactNode {
  const [label, setLabel] = useState(children);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text());
      setLabel(texts.copied);
    } catch {
      // The browser may forbid it.
      setLabel(texts.copyNotAllowed);
    }
  }
  return (
    <button className="button" type="button" onClick={() => void copy()} aria-live="polite">
      {label}
    </button>
  );
}
