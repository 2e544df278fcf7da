import { normalize } from '@ringdown/linear-text';
import { UNNAMED_GUEST } from '@ringdown/meetings';

/** So that no guest is taken for a person of the directory, who has a name without it. */
const MARK = ' (guest)';
const MAX_CHARACTERS = 60;

/** The name by which others see a guest: as the guest wrote it, in one line, and marked. */
export function guestName(wanted: string | undefined): string {
  let name = normalize(wanted ?? '', 'NFKC')
    // Control characters and those without width: they could change how the mark is shown.
    .replaceAll(/[\p{C}\p{Z}]/gu, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');
  while (name.toLowerCase().endsWith(MARK.trim())) name = name.slice(0, -MARK.trim().length).trim();
  const shortened = Array.from(name).slice(0, MAX_CHARACTERS).join('').trim();
  return shortened === '' ? UNNAMED_GUEST : shortened + MARK;
}
