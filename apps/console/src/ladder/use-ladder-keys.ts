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
  function onListKey(key: string): boolean {
    const next = nextRow(key, active, count, step);
    if (key === 'Enter' || key === ' ') onDetails(true);
    else if (next === undefined) return false;
    else onActive(next);
    return true;
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // From the opened message, too: its keys would otherwise end in it.
    if (key === 'Escape' && target instanceof Element && isPartOf(target, list.current)) {
      onDetails(false);
      list.current?.focus();
    } else if (target !== list.current) {
      // The first press only goes to the ladder: its active row is the failure.
      if (!isMove(key) || !(target instanceof Element) || target.matches(FIELDS)) return;
      list.current?.focus();
    } else if (!onListKey(key)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** Whether it is in the same section of the page as the list, and not in a menu. */
function isPartOf(target: Element, list: HTMLElement | null): boolean {
  return list !== null && target.closest('section[aria-labelledby]')?.contains(list) === true;
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
