import type { DiagnosticsItem, VendorDiagnostics } from './record.js';

/** Known texts have up to ten; further items are only in `text`. */
const ITEM_LIMIT = 64;

/**
 * Reads `code; reason="…";source="…"` and the short form `code; reason=…;source=…` ("Diagnostics record", `Error`).
 * Pieces that are not `key=value` are skipped; the whole text is kept in `text`. Takes time linear in the text.
 */
export function parseDiagnostics(text: string): VendorDiagnostics {
  const items: DiagnosticsItem[] = [];
  let at = 0;
  while (at < text.length && items.length < ITEM_LIMIT) {
    const pieceEnd = indexOrEnd(text, ';', at);
    const piece = text.slice(at, pieceEnd);
    const equals = piece.indexOf('=');
    const quoted = equals === -1 ? undefined : quotedValue(text, at + equals + 1);
    const key = piece.slice(0, Math.max(equals, 0)).trim();
    if (key !== '') items.push({ key, value: quoted?.value ?? piece.slice(equals + 1).trim() });
    at = (quoted ? indexOrEnd(text, ';', quoted.end) : pieceEnd) + 1;
  }
  const code = /^\s*(\d{1,9})\s*(?:;|$)/.exec(text)?.[1];
  return { ...(code === undefined ? {} : { code: Number(code) }), items, text };
}

/** The first value of a key, compared without regard to case. */
export function diagnosticsValue(diagnostics: VendorDiagnostics | undefined, key: string): string | undefined {
  const wanted = key.toLowerCase();
  return diagnostics?.items.find((item) => item.key.toLowerCase() === wanted)?.value;
}

/**
 * A value in quotes may contain semicolons, and quotes as `\"`. Undefined when there is no opening or closing quote.
 */
function quotedValue(text: string, from: number): { value: string; end: number } | undefined {
  let at = from;
  while (text[at] === ' ') at++;
  if (text[at] !== '"') return undefined;
  let value = '';
  for (at++; at < text.length; at++) {
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === '\\') at++;
    value += text[at] ?? '';
  }
  return undefined;
}

function indexOrEnd(text: string, char: string, from: number): number {
  const index = text.indexOf(char, from);
  return index === -1 ? text.length : index;
}
