import { parsePhone } from './phone.js';

describe('a telephone number from a directory', () => {
  it.each([
    ['+1 (202) 555-0101', '+12025550101'],
    ['tel:+1-202-555-0101', '+12025550101'],
    ['0044 20 7946 0958', '+442079460958'],
    ['+49 (0)30 1234/56', '+4930123456'],
    ['030/123456', '030123456'],
    ['4711', '4711'],
    ['+1 202 555 0101 x17', '+12025550101;ext=17'],
    ['+1 202 555 0101 ext. 17', '+12025550101;ext=17'],
    ['+12025550101;ext=17', '+12025550101;ext=17'],
    ['＋１２０２５５５０１０１', '+12025550101'],
    ['+49\u201130\u201112', '+493012'],
  ])('%s is parsed as %s', (written, number) => {
    expect(parsePhone(written)).toBe(number);
  });

  it.each([
    '',
    'none',
    '7',
    'ask Bob 0101',
    `+${'1'.repeat(21)}`,
    '+1 202 555 0101 <script>',
    '2025550101@example.test',
  ])('%s is rejected', (written) => {
    expect(parsePhone(written)).toBeUndefined();
  });
});
