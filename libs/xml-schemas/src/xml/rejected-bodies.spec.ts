import { defaultProfile } from '@ringdown/vendor-profile';
import { TEXT_LIMITS } from '../model/text-limits.js';
import { ATTRIBUTE_LIMIT, DEPTH_LIMIT, ELEMENT_LIMIT } from './document-limits.js';
import { type FeedSyntaxCode, FeedSyntaxError } from './feed-syntax-error.js';
import { NAME_LIMIT, NAMES_LIMIT, readFeedMessage } from './read-feed-message.js';

function refusal(body: string | Uint8Array): FeedSyntaxError {
  try {
    readFeedMessage(body, defaultProfile);
  } catch (error) {
    if (error instanceof FeedSyntaxError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

function record(inside: string): string {
  return `<Diagnostics><ConnectionInfo><CallId>c1</CallId></ConnectionInfo>${inside}</Diagnostics>`;
}

function connection(inside: string): string {
  return `<Diagnostics><ConnectionInfo><CallId>c1</CallId>${inside}</ConnectionInfo></Diagnostics>`;
}

function request(inside: string): string {
  return `<GetConfiguration>${inside}</GetConfiguration>`;
}

function names(count: number): string {
  return Array.from({ length: count }, (_, i) => `host${i}`).join(',');
}

function nested(depth: number): string {
  return '<a>'.repeat(depth) + '</a>'.repeat(depth);
}

const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]><Diagnostics>&lol2;</Diagnostics>`;
const external = `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Diagnostics>&x;</Diagnostics>`;

describe('a body is rejected', () => {
  it.each<[string, string | Uint8Array, FeedSyntaxCode]>([
    ['that is empty', '', 'not-xml'],
    ['of white space', ' \n ', 'not-xml'],
    ['of plain text', 'hello', 'not-xml'],
    ['of JSON', '{"a":1}', 'not-xml'],
    ['that is truncated', record('').slice(0, -3), 'not-xml'],
    ['with an open element', '<Diagnostics><ConnectionInfo></Diagnostics>', 'not-xml'],
    ['with two roots', record('') + record(''), 'not-xml'],
    ['with text after the root', `${record('')}x`, 'not-xml'],
    ['with an attribute twice', record('<Ended Type="a" Type="b"/>'), 'not-xml'],
    ['with an unquoted attribute', record('<Ended Type=a/>'), 'not-xml'],
    ['with a bare ampersand', record('<RawSDP>a & b</RawSDP>'), 'not-xml'],
    ['with an unknown entity', record('<RawSDP>&nbsp;</RawSDP>'), 'not-xml'],
    ['with an entity named like a property of objects', record('<RawSDP>&constructor;</RawSDP>'), 'not-xml'],
    ['with U+0000', record('<RawSDP>\0</RawSDP>'), 'not-xml'],
    ['with a reference to U+0000', record('<RawSDP>&#0;</RawSDP>'), 'not-xml'],
    ['with a reference to half a surrogate pair', record('<RawSDP>&#xD800;</RawSDP>'), 'not-xml'],
    ['with control characters under XML 1.1', `<?xml version="1.1"?>${record('<RawSDP>&#1;</RawSDP>')}`, 'not-xml'],
    ['with ]]> in text', record('<RawSDP>]]></RawSDP>'), 'not-xml'],
    ['with recursively expanding entities', laughs, 'doctype'],
    ['with an external entity', external, 'doctype'],
    ['with any document type', `<!DOCTYPE html>${record('')}`, 'doctype'],
    ['nested too deep', record(nested(DEPTH_LIMIT)), 'too-deep'],
    ['nested 100,000 deep', record(nested(100_000)), 'too-deep'],
    ['with too many elements', record('<a/>'.repeat(ELEMENT_LIMIT)), 'too-many-elements'],
    ['with too many attributes', record(`<a ${attributes(ATTRIBUTE_LIMIT + 1)}/>`), 'too-many-attributes'],
    ['with 20,000 attributes', record(`<a ${attributes(20_000)}/>`), 'too-many-attributes'],
    ['with another root', '<html/>', 'unknown-root'],
    ['with a root in other case', '<diagnostics/>', 'unknown-root'],
    ['without ConnectionInfo', '<Diagnostics/>', 'missing-call-id'],
    ['without CallId', '<Diagnostics><ConnectionInfo/></Diagnostics>', 'missing-call-id'],
    ['with an empty CallId', record('').replace('c1', ' '), 'missing-call-id'],
    [
      'with a CallId over the limit',
      record('').replace('c1', 'c'.repeat(TEXT_LIMITS.identifier.characters + 1)),
      'bad-value',
    ],
    [
      'with the name of a front end over the limit',
      connection(`<FrontEnd>${'f'.repeat(NAME_LIMIT + 1)}</FrontEnd>`),
      'bad-value',
    ],
    ['with a long name in a list', connection(`<FrontEnds>fe1,${'f'.repeat(300_000)}</FrontEnds>`), 'bad-value'],
    ['with too many front ends', connection(`<FrontEnds>${names(NAMES_LIMIT + 1)}</FrontEnds>`), 'bad-value'],
    ['with too many pools', connection(`<Pools>${names(30_000)}</Pools>`), 'bad-value'],
    ['of a request with a long name', request(`<FrontEnd>${'f'.repeat(NAME_LIMIT + 1)}</FrontEnd>`), 'bad-value'],
    ['of a request with a long version', request(`<CurrentVersion>${'1'.repeat(9_999)}</CurrentVersion>`), 'bad-value'],
    ['in broken UTF-8', Buffer.from([0x3c, 0x44, 0xc3, 0x28]), 'bad-encoding'],
    ['in overlong UTF-8', Buffer.from([0x3c, 0xc0, 0xaf, 0x3e]), 'bad-encoding'],
    ['in UTF-16', Buffer.from(`\u{feff}${record('')}`, 'utf16le'), 'bad-encoding'],
    ['in Latin-1', Buffer.from(record('<RawSDP>é</RawSDP>'), 'latin1'), 'bad-encoding'],
    ['that declares another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${record('')}`, 'bad-encoding'],
    ['with half a surrogate pair', record('<RawSDP>\u{d800}</RawSDP>'), 'bad-encoding'],
  ])('%s', (_what, body, code) => {
    expect(refusal(body).code).toBe(code);
  });

  it('with a message that contains the error and its position', () => {
    expect(refusal('<Diagnostics>\n  <Ended>\n</Diagnostics>').message).toBe(
      'Not well-formed XML: unexpected close tag. (line 3, column 14)',
    );
    expect(refusal('<Diagnostics>\n<ConnectionInfo></ConnectionInfo></Diagnostics>')).toMatchObject({
      message: 'ConnectionInfo has no CallId. (line 2, column 16)',
      position: { line: 2, column: 16 },
    });
  });

  it('with a short message even when a name in it is long', () => {
    const { message } = refusal(`<${'😀'.repeat(1)}${'x'.repeat(100_000)}/>`);
    expect(message.length).toBeLessThan(300);
    expect(refusal(`<${'é'.repeat(100_000)}/>`).message.length).toBeLessThan(300);
  });

  it('only beyond the limits', () => {
    const deep = record(nested(DEPTH_LIMIT - 1));
    const many = record('<a/>'.repeat(ELEMENT_LIMIT - 3));
    const wide = record(`<a ${attributes(ATTRIBUTE_LIMIT)}/>`);
    const longName = connection(`<FrontEnd> ${'f'.repeat(NAME_LIMIT)} </FrontEnd>`);
    // Repeated names count once.
    const manyNames = connection(`<FrontEnds>${names(NAMES_LIMIT)},${names(NAMES_LIMIT).toUpperCase()}</FrontEnds>`);
    for (const body of [deep, many, wide, longName, manyNames])
      expect(readFeedMessage(body, defaultProfile).kind).toBe('record');
  });

  it('without an effect on the next valid one', () => {
    refusal(Buffer.from([0xff]));
    refusal('<Diagnostics>');
    expect(readFeedMessage(Buffer.from(record('')), defaultProfile).kind).toBe('record');
  });
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, i) => `a${i}="1"`).join(' ');
}
