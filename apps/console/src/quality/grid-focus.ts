const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Tab reaches one link of a grid, the arrow keys the others: the link that has the focus, or the one that had it
 * last, or the first one.
 */
export function takeFocus(table: HTMLTableElement, focused?: Element): void {
  const links = [...table.querySelectorAll('a')];
  const reached = links.find((link) => link === focused) ?? links.find(({ tabIndex }) => tabIndex === 0) ?? links[0];
  for (const link of links) link.tabIndex = link === reached ? 0 : -1;
}

/** Moves the focus to the next link in the direction of the key, across cells without one. Returns false for other keys. */
export function moveFocus(table: HTMLTableElement, key: string): boolean {
  const step = STEPS[key];
  const cell = document.activeElement?.closest('td, th');
  const row = cell?.closest('tr');
  if (step === undefined || !(cell instanceof HTMLTableCellElement) || row === undefined || row === null) return false;
  const [down, right] = step;
  let [y, x] = [row.rowIndex + down, cell.cellIndex + right];
  for (; table.rows[y]?.cells[x] !== undefined; y += down, x += right) {
    const link = table.rows[y]?.cells[x]?.querySelector('a');
    if (link instanceof HTMLAnchorElement) {
      link.focus();
      break;
    }
  }
  return true;
}
