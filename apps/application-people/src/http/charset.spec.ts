import { contentTypeCharset, textIn } from './charset.js';

describe('the charset of a content type', () => {
  it.each([
    ['text/plain', undefined],
    ['text/plain; charset=UTF-8', 'utf-8'],
    ['text/plain;format=flowed; Charset="iso-8859-1"', 'iso-8859-1'],
    ["text/plain;charset='utf-8'", 'utf-8'],
    ['', undefined],
  ])('of %s is %s', (contentType, charset) => {
    expect(contentTypeCharset(contentType)).toBe(charset);
  });
});

describe('text', () => {
  it.each<[string | undefined, number[], string | undefined]>([
    [undefined, [0xc3, 0xa9], 'é'],
    ['utf8', [0xc3, 0xa9], 'é'],
    ['iso-8859-1', [0xe9, 0x21], 'é!'],
    ['latin1', [0xe9], 'é'],
    ['windows-1252', [0x80], '€'],
    ['iso-8859-5', [0xb6], 'Ж'],
    ['utf-16le', [0xe9, 0x00], 'é'],
    ['of-our-own', [0xc3, 0xa9], 'é'],
    ['utf-8', [0xe9, 0x21], undefined],
    [undefined, [0xff], undefined],
    ['of-our-own', [0xff], undefined],
    ['utf-16le', [0xe9], undefined],
  ])('in %s with the bytes %j is %j', (charset, bytes, text) => {
    expect(textIn(charset, Uint8Array.from(bytes))).toBe(text);
  });
});
