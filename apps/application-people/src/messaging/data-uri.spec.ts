import { assert, constantFrom, property, string } from 'fast-check';
import { dataUri, parseDataUri } from './data-uri.js';

describe('a text as a data URI', () => {
  it('contains its media type, and plus signs for spaces', () => {
    expect(dataUri({ format: 'Plain', text: 'Hi Tosh\r\n1+1=2, "ä"' })).toBe(
      'data:text/plain;charset=utf-8,Hi+Tosh%0D%0A1%2B1%3D2%2C+%22%C3%A4%22',
    );
    expect(dataUri({ format: 'Html', text: '<b>' })).toBe('data:text/html;charset=utf-8,%3Cb%3E');
  });

  it('is read back as it was written, and as bots read it', () => {
    assert(
      property(string({ unit: 'binary' }), constantFrom('Plain' as const, 'Html' as const), (any, format) => {
        const text = any.toWellFormed();
        const uri = dataUri({ format, text });
        expect(parseDataUri(uri)).toEqual({ format, text });
        expect(decodeURIComponent(uri.slice(uri.indexOf(',') + 1).replaceAll('+', ' '))).toBe(text);
      }),
    );
  });

  it.each([
    ['data:text/plain,hi', 'Plain', 'hi'],
    ['data:,hi', 'Plain', 'hi'],
    ['DATA:Text/HTML;Charset=UTF-8,%3Cb%3E,+c', 'Html', '<b>, c'],
    ['data:text/plain;base64,SGkgw6Q=', 'Plain', 'Hi ä'],
    ['data:text/plain;charset=utf-8;base64,Pj4+Pz8/', 'Plain', '>>>???'],
    ['data:text/plain;base64,SGk%3D', 'Plain', 'Hi'],
    ['data:text/plain,a\nb', 'Plain', 'a\nb'],
  ])('%s is %s text', (uri, format, text) => {
    expect(parseDataUri(uri)).toEqual({ format, text });
  });

  it.each([
    'hi',
    'data:text/plain',
    'data:image/png,x',
    'data:text/plain,%zz',
    'data:text/plain,%ff',
    'data:text/plain;base64,!!',
    'data:text/plain;base64,/w==',
    `data:${'x'.repeat(300)},y`,
  ])('%s is not valid', (uri) => {
    expect(parseDataUri(uri)).toBeUndefined();
  });
});
