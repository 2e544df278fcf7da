import { SipSyntaxError } from './sip-syntax-error.js';

const LINES_LIMIT = 512;
const [TAB, SPACE, COLON] = [9, 32, 58];

/** RFC 3261, 7.3.3 and later RFCs: those of Refer-To and Referred-By are of RFC 3515 and RFC 3892. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['content-type', 'c'],
  ['content-encoding', 'e'],
  ['from', 'f'],
  ['call-id', 'i'],
  ['refer-to', 'r'],
  ['referred-by', 'b'],
  ['supported', 'k'],
  ['content-length', 'l'],
  ['contact', 'm'],
  ['subject', 's'],
  ['to', 't'],
  ['via', 'v'],
]);

/**
 * The headers of a message, found when they are asked for: of most messages few are read. Names are in lower case and in
 * their long form; several values of a name are in the order of the message.
 */
export class SipHeaders {
  /** Where each line begins. */
  private readonly starts: number[] = [];

  /** `head`: unfolded, with the start line before `from`. Throws {@link SipSyntaxError} if it has too many lines. */
  constructor(
    private readonly head: string,
    from: number,
  ) {
    for (let at = from; at < head.length;) {
      if (this.starts.push(at) > LINES_LIMIT) throw new SipSyntaxError('too many lines');
      const end = head.indexOf('\n', at);
      at = end === -1 ? head.length : end + 1;
    }
  }

  first(name: string): string | undefined {
    const short = SHORT_NAMES.get(name);
    for (const start of this.starts) {
      const at = this.valueAfter(start, name, short);
      if (at !== -1) return this.valueAt(at);
    }
    return undefined;
  }

  all(name: string): readonly string[] {
    const short = SHORT_NAMES.get(name);
    const found = this.starts.map((start) => this.valueAfter(start, name, short)).filter((at) => at !== -1);
    return found.map((at) => this.valueAt(at));
  }

  has(name: string): boolean {
    return this.first(name) !== undefined;
  }

  /** The first header whose name ends like this and whose value is accepted. */
  firstEnding(nameEnd: string, accepts: (value: string) => boolean): string | undefined {
    for (const start of this.starts) {
      const line = this.lineAt(start);
      const colon = line.indexOf(':');
      const isNamed = colon > 0 && line.slice(0, colon).trimEnd().toLowerCase().endsWith(nameEnd);
      const value = isNamed ? line.slice(colon + 1).trim() : undefined;
      if (value !== undefined && accepts(value)) return value;
    }
    return undefined;
  }

  /** Where the value begins; -1: the line has another name. */
  private valueAfter(start: number, name: string, short: string | undefined): number {
    const long = this.colonAfter(start, name);
    return long !== -1 || short === undefined ? long : this.colonAfter(start, short);
  }

  private colonAfter(start: number, name: string): number {
    const { head } = this;
    for (let n = 0; n < name.length; n++) {
      if (lowerCase(head.charCodeAt(start + n)) !== name.charCodeAt(n)) return -1;
    }
    let at = start + name.length;
    while (head.charCodeAt(at) === SPACE || head.charCodeAt(at) === TAB) at++;
    return head.charCodeAt(at) === COLON ? at + 1 : -1;
  }

  private valueAt(at: number): string {
    return this.lineAt(at).trim();
  }

  private lineAt(at: number): string {
    const end = this.head.indexOf('\n', at);
    return end === -1 ? this.head.slice(at) : this.head.slice(at, end);
  }
}

/** Of ASCII letters; other codes are returned as they are. */
function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
