import { isUploadFeed } from '@ringdown/contracts/uploads';
import { normalize } from '@ringdown/linear-text';

/** Most names: without `~`, and without characters that look like it or like nothing. */
const PLAIN = /^[\x20-\x7d]*$/;
/** `\u2e2f` is a raised tilde, and the others of these are tildes of mathematics and of other widths. */
const TILDES = /[\u02dc\u2053\u223c\u223d\u2e2f\u301c\u3030\uff5e]/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}]/gu;

/** Whether it is such a name, or looks like one: in full width, with invisible characters, with another tilde. */
export function looksLikeUploadFeed(name: string): boolean {
  if (PLAIN.test(name)) return false;
  return isUploadFeed(normalize(name.replaceAll(TILDES, '~'), 'NFKC').replaceAll(INVISIBLE, ''));
}
