/** A piece of a line in one colour. */
export interface XmlPart {
  readonly kind: 'tag' | 'attribute' | 'value' | 'text' | 'other';
  readonly text: string;
}

export interface XmlLine {
  readonly depth: number;
  readonly parts: readonly XmlPart[];
}

interface Token {
  readonly kind: 'open' | 'close' | 'empty' | 'text' | 'other';
  readonly text: string;
}

/**
 * The lines of a document: one for each element without children, indented by its depth. Nothing but white space between
 * elements is lost, also of a document that is not well-formed.
 */
export function xmlLines(xml: string): readonly XmlLine[] {
  const tokens = tokensOf(xml);
  const lines: XmlLine[] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === 'close') depth = Math.max(0, depth - 1);
    const leaf = leafAt(tokens, at);
    lines.push({ depth, parts: (leaf ?? [token]).flatMap((each) => tokenParts(each)) });
    if (leaf !== undefined) at += leaf.length - 1;
    else if (token.kind === 'open') depth++;
  }
  return lines;
}

/** An element with a text or nothing in it; undefined if the token is something else. */
function leafAt(tokens: readonly Token[], at: number): readonly Token[] | undefined {
  if (tokens[at]?.kind !== 'open') return undefined;
  const length = tokens[at + 1]?.kind === 'text' ? 3 : 2;
  return tokens[at + length - 1]?.kind === 'close' ? tokens.slice(at, at + length) : undefined;
}

function tokensOf(xml: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < xml.length;) {
    const end = xml[at] === '<' ? endOfTag(xml, at) : nextTag(xml, at);
    const text = xml.slice(at, end).trim();
    if (text !== '') tokens.push({ kind: tokenKind(text), text });
    at = end;
  }
  return tokens;
}

function nextTag(xml: string, at: number): number {
  const next = xml.indexOf('<', at);
  return next === -1 ? xml.length : next;
}

const ENCLOSED: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** A `>` in the value of an attribute does not end the tag. */
function endOfTag(xml: string, at: number): number {
  const enclosed = ENCLOSED.find(([begin]) => xml.startsWith(begin, at));
  if (enclosed !== undefined) {
    const end = xml.indexOf(enclosed[1], at + enclosed[0].length);
    return end === -1 ? xml.length : end + enclosed[1].length;
  }
  let quote = '';
  for (let index = at + 1; index < xml.length; index++) {
    const sign = xml[index] ?? '';
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return index + 1;
  }
  return xml.length;
}

function tokenKind(text: string): Token['kind'] {
  if (!text.startsWith('<')) return 'text';
  if (text.startsWith('</')) return 'close';
  if (text.startsWith('<!') || text.startsWith('<?')) return 'other';
  return text.endsWith('/>') ? 'empty' : 'open';
}

function tokenParts({ kind, text }: Token): readonly XmlPart[] {
  if (kind === 'text' || kind === 'other') return [{ kind, text }];
  const space = text.search(/\s/);
  if (kind === 'close' || space === -1) return [{ kind: 'tag', text }];
  const end = text.endsWith('/>') ? '/>' : text.endsWith('>') ? '>' : '';
  const attributes = attributeParts(text.slice(space, text.length - end.length));
  return [{ kind: 'tag', text: text.slice(0, space) }, ...attributes, { kind: 'tag', text: end }];
}

/** Names and values, which are what is between two equal quotation marks. */
function attributeParts(text: string): readonly XmlPart[] {
  const parts: XmlPart[] = [];
  let [begin, quote] = [0, ''];
  const add = (kind: XmlPart['kind'], end: number): void => {
    if (end > begin) parts.push({ kind, text: text.slice(begin, end) });
    begin = end;
  };
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] ?? '';
    if (quote === '' && (sign === '"' || sign === "'")) {
      add('attribute', index);
      quote = sign;
    } else if (quote !== '' && sign === quote) {
      add('value', index + 1);
      quote = '';
    }
  }
  add(quote === '' ? 'attribute' : 'value', text.length);
  return parts;
}
