import { defaultProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord } from '../model/record.js';
import type { FeedSyntaxError } from './feed-syntax-error.js';
import { readFeedMessage } from './read-feed-message.js';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
import { cutTo, TEXT_LIMITS, type TextKind } from '../model/text-limits.js';

function read(connection: string, inside: string, attributes = ''): DiagnosticsRecord {
  const callId = connection.includes('<CallId>') ? '' : '<CallId>c1</CallId>';
  const header = `<ConnectionInfo>${callId}${connection}</ConnectionInfo>`;
  const message = readFeedMessage(`<Diagnostics${attributes}>${header}${inside}</Diagnostics>`, defaultProfile);
  if (message.kind !== 'record') throw new Error('no record');
  return message.record;
}

type Place = (text: string) => DiagnosticsRecord;

/** The fields of a table that are texts: `UserAgent@Type` is not one. */
function textFields(
  table: readonly { element: string; conversion: string; limit?: TextKind }[],
  place: (xml: string) => DiagnosticsRecord,
): [string, TextKind, Place][] {
  return table
    .filter(({ conversion }) => conversion === 'text')
    .map(({ element, limit = 'text' }): [string, TextKind, Place] => {
      return [element, limit, (text) => place(`<${element}>${text}</${element}>`)];
    });
}

const texts: [string, TextKind, Place][] = [
  ...textFields(CONNECTION_FIELDS, (xml) => read(xml, '')),
  ...textFields(ENDPOINT_FIELDS, (xml) => read('', `<Start><From>${xml}</From></Start>`)),
  ['ConnectionInfo@Originator', 'identifier', (text) => originated(text)],
  ['Diagnostics@Version', 'word', (text) => read('', '', ` Version="${text}"`)],
  ['Start@Type', 'word', (text) => read('', `<Start Type="${text}"/>`)],
  ['Hop', 'host', (text) => read('', `<Route><Hop>${text}</Hop></Route>`)],
  [
    'ReferredBy',
    'address',
    (text) => read('', `<Start><Properties><ReferredBy>${text}</ReferredBy></Properties></Start>`),
  ],
  ['Replaces', 'address', (text) => read('', `<Start><Properties><Replaces>${text}</Replaces></Properties></Start>`)],
  ['Via', 'address', (text) => read('', `<Start><Properties><Via>${text}</Via></Properties></Start>`)],
  ['Protocol', 'text', (text) => read('', `<Start><Properties><Protocol>${text}</Protocol></Properties></Start>`)],
  ['Codec', 'text', (text) => read('', `<Start><Properties><Codec Name="${text}"/></Properties></Start>`)],
  ['StreamQuality', 'text', (text) => quality(`<StreamQuality>${text}</StreamQuality>`)],
  ['CaptureDevice', 'text', (text) => quality(`<CaptureDevice>${text}</CaptureDevice>`)],
  [
    'ResponsePhrase',
    'text',
    (text) => read('', `<Error><Properties><ResponsePhrase>${text}</ResponsePhrase></Properties></Error>`),
  ],
  ['VendorDiagnostics', 'diagnostics', (text) => failed(text)],
  ['RawSDP', 'sdp', (text) => read('', `<RawSDP>${text}</RawSDP>`)],
  ['Weather', 'text', (text) => read('', `<Weather>${text}</Weather>`)],
];

function originated(text: string): DiagnosticsRecord {
  const header = `<ConnectionInfo Originator="${text}"><CallId>c1</CallId></ConnectionInfo>`;
  const message = readFeedMessage(`<Diagnostics>${header}</Diagnostics>`, defaultProfile);
  if (message.kind !== 'record') throw new Error('no record');
  return message.record;
}

function quality(xml: string): DiagnosticsRecord {
  return read('', `<QualityUpdate><Properties>${xml}</Properties></QualityUpdate>`);
}

function failed(text: string): DiagnosticsRecord {
  return read('', `<Error><Properties><VendorDiagnostics>${text}</VendorDiagnostics></Properties></Error>`);
}

describe('a text of a record', () => {
  it.each(texts)('in %s may be as long as a text of the kind %s', (_element, kind, place) => {
    const text = 'x'.repeat(TEXT_LIMITS[kind].characters);
    const record = place(text);
    expect(JSON.stringify(record)).toContain(text);
    expect(record.cut).toBeUndefined();
  });

  it.each(texts.filter(([, kind]) => TEXT_LIMITS[kind].beyond === 'rejected'))(
    'in %s that exceeds its limit causes a rejection that names the element',
    (element, kind, place) => {
      const { characters } = TEXT_LIMITS[kind];
      const refusal = expect.objectContaining({
        code: 'bad-value',
        message: expect.stringContaining(`${element} is longer than ${characters} characters.`) as unknown,
      }) as FeedSyntaxError;
      expect(() => place('x'.repeat(characters + 1))).toThrow(refusal);
    },
  );

  it.each(texts.filter(([, kind]) => TEXT_LIMITS[kind].beyond === 'cut'))(
    'in %s that exceeds its limit is cut, and is listed in the record',
    (element, kind, place) => {
      const { characters } = TEXT_LIMITS[kind];
      const record = place('x'.repeat(characters + 1));
      expect(record.cut).toEqual([element]);
      expect(JSON.stringify(record)).toContain('x'.repeat(characters));
      expect(JSON.stringify(record)).not.toContain('x'.repeat(characters + 1));
    },
  );

  it.each(['Headset 7 ', '7'])('stays a metric when it is longer than its limit (%j)', (part) => {
    const text = part.repeat(8_400 / part.length);
    const [report] = quality(`<CaptureDevice>${text}</CaptureDevice>`).events;
    expect(report).toMatchObject({ metrics: { CaptureDevice: { value: text.slice(0, 1_024) } } });
  });

  it('is not cut in the middle of a character', () => {
    expect(cutTo('ab\u{1f600}', 3)).toBe('ab');
    expect(cutTo('ab\u{1f600}', 4)).toBe('ab\u{1f600}');
    expect(cutTo('abc', 9)).toBe('abc');
  });
});
