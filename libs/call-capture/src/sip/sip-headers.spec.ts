import { SipHeaders } from './sip-headers.js';
import { SipSyntaxError } from './sip-syntax-error.js';

describe('SipHeaders', () => {
  const headers = new SipHeaders(
    'BYE sip:b SIP/2.0\r\nv : a\r\nVIA: b\r\nX-Call: 1\r\nX: 2\r\nms-diagnostics: 3;x\r\nr: <sip:c>\r\nb: <sip:d>\r\nlast',
    19,
  );

  it.each([
    ['via', ['a', 'b']],
    ['x', ['2']],
    ['x-call', ['1']],
    ['x-cal', []],
    ['refer-to', ['<sip:c>']],
    ['referred-by', ['<sip:d>']],
    ['last', []],
    ['bye sip', []],
  ])('has all values of %s, in short and long form', (name, values) => {
    expect(headers.all(name)).toEqual(values);
    expect(headers.first(name)).toBe(values[0]);
    expect(headers.has(name)).toBe(values.length > 0);
  });

  it('finds a header by the end of its name', () => {
    expect(headers.firstEnding('-diagnostics', (value) => value.startsWith('3'))).toBe('3;x');
    expect(headers.firstEnding('-diagnostics', () => false)).toBeUndefined();
  });

  it('rejects too many lines', () => {
    expect(() => new SipHeaders('x: y\n'.repeat(513), 0)).toThrow(SipSyntaxError);
  });
});
