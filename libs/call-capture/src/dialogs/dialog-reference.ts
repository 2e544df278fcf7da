import { fitText } from '@ringdown/xml-schemas';
import type { Parties } from '../media/agreed-media.js';
import type { Forks } from './messages/forks.js';

/** A dialog as `Replaces`, `Join` (RFC 3911) and `Target-Dialog` (RFC 4538) name it. */
export interface DialogReference {
  readonly callId: string;
  /** Of the two sides, in any order: the sender of the header may have named them from either end. */
  readonly tags: readonly string[];
}

/** `call-2;to-tag=7;from-tag=9`. Undefined if it names no call. Linear, of any length. */
export function readDialogReference(text: string | undefined): DialogReference | undefined {
  const [written = '', ...parameters] = text?.split(';', 16) ?? [];
  const callId = fitText(written.trim(), 'identifier') ?? '';
  if (callId === '') return undefined;
  const named = parameters.map((parameter) => parameter.split('=', 2).map((part) => part.trim()));
  const tags = named.flatMap(([name = '', tag = '']) => (isTag(name.toLowerCase()) && tag !== '' ? tag : []));
  return { callId, tags };
}

/** Whether the tags are those of a dialog of the call. A callee whose tag was not captured has any tag. */
export function fitsDialog(tags: readonly string[], { caller, callee }: Parties, forks: Pick<Forks, 'has'>): boolean {
  const isCallees = (tag: string): boolean => callee.id === undefined || tag === callee.id || forks.has(tag);
  const others = tags.filter((tag) => tag !== caller.id);
  if (!others.every(isCallees)) return false;
  const hasCaller = others.length < tags.length || caller.id === undefined;
  return tags.length < 2 || (hasCaller && others.length === 1);
}

/** `…?Replaces=call-2%3Bto-tag%3D7…`: the dialog that an attended transfer replaces (RFC 3515, RFC 3891). */
export function replacedBy(target: string): DialogReference | undefined {
  const headers = target.split('?', 2)[1]?.split('&', 16) ?? [];
  const written = headers.find((each) => /^replaces=/i.test(each))?.slice('replaces='.length);
  try {
    return written === undefined ? undefined : readDialogReference(decodeURIComponent(written));
  } catch {
    // Percent signs that encode nothing: it names no call.
    return undefined;
  }
}

function isTag(name: string): boolean {
  return name === 'to-tag' || name === 'from-tag' || name === 'local-tag' || name === 'remote-tag';
}
