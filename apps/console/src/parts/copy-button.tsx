import { useState, type ReactNode } from 'react';

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
      setLabel('Copied');
    } catch {
      // The browser may forbid it.
      setLabel('Not allowed by the browser');
    }
  }
  return (
    <button className="button" type="button" onClick={() => void copy()} aria-live="polite">
      {label}
    </button>
  );
}
