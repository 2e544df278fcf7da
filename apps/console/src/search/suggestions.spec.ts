import { typedTextReadings, wordedValues } from './suggestions.js';

describe('what a typed text can be', () => {
  it.each([
    ['10.1.2.3', ['address', 'callId']],
    ['10.1.0.0/16', ['address', 'callId']],
    ['2001:db8::1', ['address', 'callId']],
    ['486', ['errorCode']],
    ['a84b4c76e66710@pc33', ['callId']],
    ['anna', []],
    ['anna smith', []],
    ['x'.repeat(300), []],
  ])('%s', (typed, names) => {
    expect(typedTextReadings(typed).map(({ name }) => name)).toEqual(names);
  });
});

describe('values that have a word', () => {
  it.each([
    ['echo', ['cause=DeviceHalfDuplexAECEventRatio']],
    ['one-way a', ['cause=oneWay', 'audio=oneWay']],
    ['No audio', ['cause=silent', 'audio=silent']],
    ['ec', []],
    ['anna', []],
  ])('are found by a part of it: %s', (typed, found) => {
    expect(wordedValues(typed).map(({ name, value }) => `${name}=${value}`)).toEqual(found);
  });
});
