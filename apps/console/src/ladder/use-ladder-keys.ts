import { useEffect, useEffectEvent, type RefObject } from 'react';

export interface LadderKeys {
  readonly list: RefObject<HTMLElement | null>;
  readonly active: number;
  readonly count: number;
  /** Rows that Page Up and Page Down skip. */
  readonly step: number;
  readonly onActive: (index: number) => void;
  readonly onDetails: (isShown: boolean) => void;
}

const FIELDS =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="listbox"], [role="menu"], [role="dialog"] *';

/** `j` and `k` from anywhere on the page, other keys while the list has the focus. */
export function useLadderKeys({ list, active, count, step, onActive, onDetails }: LadderKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== list.current) {
      // The first press only goes to the ladder: its active row is the failure.
      if (!isMove(key) || !(target instanceof Element) || target.matches(FIELDS)) return;
      list.current?.focus();
    } else if (key === 'Enter' || key === ' ') onDetails(true);
    else if (key === 'Escape') onDetails(false);
    else {
      const next = nextRow(key, active, count, step);
      if (next === undefined) return;
      onActive(next);
    }
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function isMove(key: string): boolean {
  return key === 'j' || key === 'k';
}

function nextRow(key: string, active: number, count: number, step: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return Math.min(last, active + 1);
    case 'k':
    case 'ArrowUp':
      return Math.max(0, active - 1);
    case 'PageDown':
      return Math.min(last, active + step);
    case 'PageUp':
      return Math.max(0, active - step);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
