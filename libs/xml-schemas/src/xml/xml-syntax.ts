/** The parts of the XML 1.0 grammar (fifth edition) that the document reader needs: names, white space, references. */

const NAME_START =
  ':A-Z_a-z\\u{c0}-\\u{d6}\\u{d8}-\\u{f6}\\u{f8}-\\u{2ff}\\u{370}-\\u{37d}\\u{37f}-\\u{1fff}\\u{200c}\\u{200d}\\u{2070}-\\u{218f}' +
  '\\u{2c00}-\\u{2fef}\\u{3001}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{fffd}\\u{10000}-\\u{effff}';
const NAME_REST = `${NAME_START}.0-9\\u{b7}\\u{300}-\\u{36f}\\u{203f}\\u{2040}\\-`;
const NAME = new RegExp(`[${NAME_START}][${NAME_REST}]*`, 'uy');

/** For the names of nearly all documents; the expression is used for others. */
const ASCII_NAME_START = asciiOf(NAME_START);
const ASCII_NAME_REST = asciiOf(NAME_REST);

function asciiOf(characters: string): readonly boolean[] {
  const one = new RegExp(`[${characters}]`, 'u');
  return Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
}

/** The end of the name that begins at `from`: `from` itself if none begins there. */
export function nameEnd(text: string, from: number): number {
  let at = from;
  let code = text.charCodeAt(at);
  if (ASCII_NAME_START[code] === true) {
    do code = text.charCodeAt(++at);
    while (ASCII_NAME_REST[code] === true);
  }
  return code < 128 || Number.isNaN(code) ? at : anyNameEnd(text, from);
}

function anyNameEnd(text: string, from: number): number {
  NAME.lastIndex = from;
  return NAME.test(text) ? NAME.lastIndex : from;
}

/** The first index from `from` on without white space. Line ends have been converted to line feeds. */
export function spaceEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return at;
    at++;
  }
}

/** For a text without lone surrogates. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** The index of the first character that a document cannot contain; -1 if there is none. */
export function firstForbidden(text: string): number {
  return text.search(FORBIDDEN);
}

const REFERENCES = /&(?:#x([0-9a-fA-F]+);|#([0-9]+);|([a-z]+);)?/g;
/** Checked before any replacement: one invalid reference among a hundred thousand costs no time. */
const NO_REFERENCE = /&(?!#?[0-9a-zA-Z]+;)/;
/** Only these five: there is no DTD to declare others. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The text with its references replaced; undefined if one of them is invalid. */
export function withoutReferences(text: string): string | undefined {
  if (NO_REFERENCE.test(text)) return undefined;
  let proper = true;
  const expanded = text.replace(REFERENCES, (_, hex?: string, decimal?: string, name = ''): string => {
    const code = hex === undefined ? decimal : `0x${hex}`;
    const character = code === undefined ? ENTITIES.get(name) : characterOf(Number(code));
    if (character === undefined) proper = false;
    return character ?? '';
  });
  return proper ? expanded : undefined;
}

function characterOf(code: number): string | undefined {
  if (code > 0x10ffff) return undefined;
  const character = String.fromCodePoint(code);
  return character.isWellFormed() && !FORBIDDEN.test(character) ? character : undefined;
}
