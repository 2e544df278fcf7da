import { useEffect, type RefObject } from 'react';

const PARTS_OF_THEIR_OWN = 'a, button, input, select, summary';
const MIDDLE = 1;

/** A click anywhere in a row opens the link in it; with Ctrl, Cmd or the middle button in another tab. The keyboard uses the link. */
export function useRowLinks(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = table.current;
    element?.addEventListener('click', openRow);
    element?.addEventListener('auxclick', openRow);
    return () => {
      element?.removeEventListener('click', openRow);
      element?.removeEventListener('auxclick', openRow);
    };
  }, [table]);
}

function openRow(event: MouseEvent): void {
  const { target, button } = event;
  if (!(target instanceof Element) || target.closest(PARTS_OF_THEIR_OWN) !== null || button > MIDDLE) return;
  // The end of a selection of text is no click.
  if (getSelection()?.isCollapsed === false) return;
  const link = target.closest('tr, [role="row"]')?.querySelector('a');
  if (!link) return;
  if (button === MIDDLE || event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
  else link.click();
}
