import { diagnosticsValue, parseDiagnostics } from './diagnostics-text.js';

describe('the diagnostics text', () => {
  it('is read in its short form', () => {
    const text =
      '2; reason=See response code and reason phrase;source=fe1.example.test;AppUri=http://x/y;appName=Routing';
    expect(parseDiagnostics(text)).toEqual({
      code: 2,
      items: [
        { key: 'reason', value: 'See response code and reason phrase' },
        { key: 'source', value: 'fe1.example.test' },
        { key: 'AppUri', value: 'http://x/y' },
        { key: 'appName', value: 'Routing' },
      ],
      text,
    });
  });

  it('is read in its quoted form, in which values contain semicolons and quotes', () => {
    const text = String.raw`51004; reason="Action; by \"user\"";UserType="Callee"; source = "fe1"`;
    expect(parseDiagnostics(text).items).toEqual([
      { key: 'reason', value: 'Action; by "user"' },
      { key: 'UserType', value: 'Callee' },
      { key: 'source', value: 'fe1' },
    ]);
  });

  it('keeps repeated keys and finds the first', () => {
    const diagnostics = parseDiagnostics('1;Reason=a;reason=b');
    expect(diagnostics.items).toHaveLength(2);
    expect(diagnosticsValue(diagnostics, 'REASON')).toBe('a');
    expect(diagnosticsValue(diagnostics, 'source')).toBeUndefined();
  });

  it('skips pieces that are not items', () => {
    expect(parseDiagnostics('some words;;=x;a=1;"').items).toEqual([{ key: 'a', value: '1' }]);
    expect(parseDiagnostics('some words')).toEqual({ items: [], text: 'some words' });
    expect(parseDiagnostics('11007')).toEqual({ code: 11007, items: [], text: '11007' });
  });

  it('with an open quote is read as unquoted', () => {
    expect(parseDiagnostics('3;a="x;b=2').items).toEqual([
      { key: 'a', value: '"x' },
      { key: 'b', value: '2' },
    ]);
  });

  it.each([' ', ';', 'a=', 'a="', '\\', 'a="\\";'])('is read in little time from 400 KB of "%s"', (piece) => {
    const begun = process.cpuUsage();
    parseDiagnostics(piece.repeat(400_000 / piece.length));
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });
});
