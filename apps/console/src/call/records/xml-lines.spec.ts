import { xmlLines } from './xml-lines.js';

function shown(xml: string): readonly string[] {
  return xmlLines(xml).map(({ depth, parts }) => `${'  '.repeat(depth)}${parts.map(({ text }) => text).join('')}`);
}

describe('the lines of a document', () => {
  it('are indented, with an element without children in one line', () => {
    expect(shown('<?xml version="1.0"?><A V="1">\n<B>text</B><C/><D></D><E><F x="a>b">1</F></E></A>')).toEqual([
      '<?xml version="1.0"?>',
      '<A V="1">',
      '  <B>text</B>',
      '  <C/>',
      '  <D></D>',
      '  <E>',
      '    <F x="a>b">1</F>',
      '  </E>',
      '</A>',
    ]);
  });

  it('have parts by kind', () => {
    expect(xmlLines(`<Hop RTT="3" b='"'>x</Hop>`)[0]?.parts).toEqual([
      { kind: 'tag', text: '<Hop' },
      { kind: 'attribute', text: ' RTT=' },
      { kind: 'value', text: '"3"' },
      { kind: 'attribute', text: ' b=' },
      { kind: 'value', text: `'"'` },
      { kind: 'tag', text: '>' },
      { kind: 'text', text: 'x' },
      { kind: 'tag', text: '</Hop>' },
    ]);
  });

  it.each([
    '</A></B><C',
    '<A x="never closed',
    'text only',
    '<!-- <A> --><![CDATA[<B>]]>',
    '<!-- never closed <A>',
    '<A>a<B/>b</A>',
    '<',
    '',
  ])('lose nothing of %j', (xml) => {
    expect(shown(xml).join('').replaceAll(/\s/g, '')).toBe(xml.replaceAll(/\s/g, ''));
  });

  it.each(['<a '.repeat(50_000), '<'.repeat(200_000), '<a>'.repeat(60_000), `<a ${'"\''.repeat(50_000)}`])(
    'of hostile documents are found at once (%#)',
    (xml) => {
      const before = process.cpuUsage().user;
      expect(xmlLines(xml).length).toBeGreaterThan(0);
      expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
    },
  );
});
