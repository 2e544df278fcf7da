import { IdentityHiding } from './index.js';

const hiding = new IdentityHiding('a seed of the test for messages');
const mark = (text: string): string => `hidden-${hiding.token(text)}`;
const X = mark('x');

const SDP = 'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=-\r\nm=audio 4000 RTP/AVP 0';
const PIDF_LO =
  '<presence entity="pres:4711@example.test"><gml:pos>52.520008 13.404954</gml:pos><ca:HNO>12</ca:HNO></presence>';
const SIPREC = '<nameID aor="sip:4711@example.test"><name>4711</name></nameID><x>0114915112345678</x>';
/** What people are, and where. */
const OF_PEOPLE = ['4711', '52', '520008', '13', '404954', '12', '0114915112345678'];

/** The lines of a body with such parts, each with its headers. */
function multipart(boundary: string, ...parts: readonly string[]): string {
  return [...parts.map((part) => `--${boundary}\r\n${part}`), `--${boundary}--`, ''].join('\r\n');
}

function message(type: string, body: string): string {
  return `INVITE sip:example.test SIP/2.0\r\nContent-Type: ${type}\r\n\r\n${body}`;
}

function hiddenBody(type: string, body: string): string {
  const hidden = hiding.sipMessage(message(type, body));
  return hidden.slice(hidden.indexOf('\r\n\r\n') + 4);
}

/** The words of the text, without its marks and tokens. */
function unhiddenWords(text: string): readonly string[] {
  return text.replaceAll(/[\dA-F]{16}/g, '').split(/[^\w]+/);
}

describe('hiding in a multipart body', () => {
  const body = multipart(
    'x',
    `Content-Type: application/sdp\r\n\r\n${SDP}`,
    `Content-Type: application/pidf+xml\r\nContent-ID: <4711@phone.test>\r\n\r\n${PIDF_LO}`,
    `Content-Type: application/rs-metadata+xml\r\n\r\n${SIPREC}`,
  );

  it('shows the description of the session, and a mark for every other part', () => {
    const hidden = hiddenBody('multipart/mixed;boundary=x', body);
    expect(hidden.split('\r\n')).toEqual([
      `--${X}`,
      'Content-Type: application/sdp',
      '',
      ...SDP.split('\r\n'),
      `--${X}`,
      'Content-Type: application/pidf+xml',
      `Content-ID: ${mark('<4711@phone.test>')}`,
      '',
      mark(PIDF_LO),
      `--${X}`,
      expect.stringMatching(/^Content-Type: application\/hidden-/),
      '',
      mark(SIPREC),
      `--${X}--`,
      '',
    ]);
  });

  it('keeps the parts and the length readable for others', () => {
    const hidden = hiding.sipMessage(message('multipart/mixed; boundary="x" ;y=z\r\nContent-Length: 1', body));
    expect(hidden).toContain(`Content-Type: multipart/mixed;boundary="${X}"`);
    const [head = ''] = hidden.split('\r\n\r\n', 1);
    expect(hidden).toContain(`Content-Length: ${Buffer.byteLength(hidden) - Buffer.byteLength(head) - 4}`);
    // A sender may have hidden it before.
    expect(hiding.sipMessage(hidden)).toContain(`--${X}\r\nContent-Type: application/sdp\r\n\r\n${SDP}\r\n--${X}`);
  });

  it.each(['\r\n', '\n'])('splits lines that end in %j', (newline) => {
    const hidden = hiddenBody('multipart/mixed;boundary=x', body.replaceAll('\r\n', newline));
    expect(hidden).toContain('m=audio 4000 RTP/AVP 0');
    for (const secret of OF_PEOPLE) expect(unhiddenWords(hidden)).not.toContain(secret);
  });

  it('hides in multipart bodies that are parts', () => {
    const inner = multipart('y', `Content-Type: application/sdp\r\n\r\n${SDP}`, `\r\n${SIPREC}`);
    const outer = multipart(
      'x',
      `Content-Type: Multipart/Alternative ; Boundary="y"\r\n\r\n${inner}`,
      `\r\n${PIDF_LO}`,
    );
    const hidden = hiddenBody('multipart/mixed;boundary=x', outer);
    expect(hidden).toContain('m=audio 4000 RTP/AVP 0');
    for (const secret of OF_PEOPLE) expect(unhiddenWords(hidden)).not.toContain(secret);
  });

  it.each([
    ['no boundary', 'multipart/mixed', body],
    ['an empty boundary', 'multipart/mixed;boundary=""', body],
    ['another boundary', 'multipart/mixed;boundary=y', body],
    ['a boundary in another case', 'multipart/mixed;boundary=X', body],
    [
      'a boundary that is too long',
      `multipart/mixed;boundary=${'x'.repeat(71)}`,
      body.replaceAll('--x', `--${'x'.repeat(71)}`),
    ],
    ['only a last boundary', 'multipart/mixed;boundary=x', `${SIPREC}\r\n--x--\r\n`],
    ['too many parts', 'multipart/mixed;boundary=x', multipart('x', ...Array<string>(33).fill(`\r\n${SIPREC}`))],
  ])('replaces a body with %s by one mark', (_what, type, text) => {
    expect(hiddenBody(type, text)).toBe(mark(text));
  });

  it('replaces a part without a type, the text around the parts, and unknown headers of a part', () => {
    const hidden = hiddenBody(
      'multipart/mixed;boundary=x',
      `4711\r\n--x\r\n\r\n${SDP}\r\n--x\r\nFrom: 4711 <sip:4711@phone.test>\r\n4711: 52\r\n\r\n12\r\n--x--\r\n13`,
    );
    for (const secret of [...OF_PEOPLE, 'audio', 'phone']) expect(unhiddenWords(hidden)).not.toContain(secret);
  });

  it('shows the parts of a body without a last boundary', () => {
    const hidden = hiddenBody('multipart/mixed;boundary=x', `--x\r\nContent-Type: application/sdp\r\n\r\n${SDP}`);
    expect(hidden).toContain('m=audio 4000 RTP/AVP 0');
  });

  it('leaves no text that is only declared to be a description', () => {
    const hidden = hiddenBody('application/sdp', `${SDP}\r\n${PIDF_LO}\r\n${SIPREC}`);
    for (const secret of OF_PEOPLE) expect(unhiddenWords(hidden)).not.toContain(secret);
  });

  it('hides bodies that are inside one another without end', () => {
    const nested = (depth: number, inner: string): string =>
      depth === 0
        ? inner
        : multipart(
            `b${depth}`,
            `Content-Type: multipart/mixed;boundary=b${depth - 1}\r\n\r\n${nested(depth - 1, inner)}`,
          );
    const hidden = hiddenBody('multipart/mixed;boundary=b50', nested(50, SIPREC));
    for (const secret of OF_PEOPLE) expect(unhiddenWords(hidden)).not.toContain(secret);
    expect(
      hiddenBody('message/sipfrag', `${'BYE x SIP/2.0\r\nc: message/sipfrag\r\n\r\n'.repeat(2_000)}${SIPREC}`),
    ).not.toContain('4711');
  });

  it.each([
    ['boundaries', '--x\r\n'.repeat(100_000)],
    ['boundaries with blanks', `--x${' '.repeat(500)}a\r\n`.repeat(1_000)],
    ['a line without end', '--x'.repeat(200_000)],
    ['line breaks', '\r'.repeat(500_000)],
    ['parts', '--x\r\na: b\r\n\r\n'.repeat(50_000)],
  ])('needs little time for %s', (_what, text) => {
    const begun = process.cpuUsage();
    hiddenBody('multipart/mixed;boundary=x', text);
    hiddenBody(`multipart/mixed${'; boundary'.repeat(50_000)}`, text);
    hiding.field(text, 'rawSdp');
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });
});

describe('hiding in a multipart text of a record', () => {
  const parts = multipart(
    'x',
    `Content-Type: application/sdp\r\n\r\n${SDP}`,
    `Content-Type: application/pidf+xml\r\n\r\n${PIDF_LO}`,
  );

  it.each([
    ['with its headers', `Content-Type: multipart/mixed;boundary=x\r\n\r\n${parts}`],
    ['with other headers', `MIME-Version: 1.0\r\nContent-Type: multipart/mixed;boundary=x\r\n\r\n${parts}`],
    ['without headers', parts],
  ])('shows the descriptions alone, %s', (_what, text) => {
    const hidden = hiding.field(text, 'rawSdp');
    expect(hidden).toContain(`--${X}\r\nContent-Type: application/sdp\r\n\r\n${SDP}\r\n--${X}\r\n`);
    for (const secret of OF_PEOPLE) expect(unhiddenWords(hidden)).not.toContain(secret);
  });

  it('shows none of it without a boundary', () => {
    const hidden = hiding.field(`Content-Type: multipart/mixed\r\n\r\n${parts}`, 'rawSdp');
    expect(hidden).toBe(`Content-Type: multipart/mixed\r\n\r\n${mark(parts)}`);
  });
});
