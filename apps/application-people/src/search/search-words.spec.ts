import { nameWords, searchWords } from './search-words.js';

describe('the words of a text', () => {
  it.each([
    ['Zoë Ångström-Müller', ['zoe', 'angstrom', 'muller']],
    ['Łukasz GROẞMANN', ['lukasz', 'grossmann']],
    ['Дмитрий Королёв', ['дмитрии', 'королев']],
    ['ΓΙΏΡΓΟΣ Παπαδόπουλος', ['γιωργοσ', 'παπαδοπουλοσ']],
    ['مُحَمَّد علي', ['محمد', 'علي']],
    ['שָׂרָה לוי', ['שרה', 'לוי']],
    ['अमित राम रीम', ['अमित', 'राम', 'रीम']],
    ['山田　太郎', ['山田', '太郎']],
    ['ガ ｶﾞ カ', ['ガ', 'ガ', 'カ']],
    ['홍길동', ['홍길동']],
    ['สมชาย', ['สมชาย']],
    ['emma.stone@example.test', ['emma', 'stone', 'example', 'test']],
    ['٠١٢ ۳۴ ५ 𝟗', ['012', '34', '5', '9']],
    ['ﬁn ①', ['fin', '1']],
    ['İstanbul ILGIN ılgın', ['istanbul', 'ilgin', 'ilgin']],
    ['\ud800 *()\\ \u0000', []],
    ['', []],
  ])('%s are compared as %j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });
});

describe('a name', () => {
  it.each([
    ["Pat O'Brien", 'obrien'],
    ['Pat O’Brien', 'obrien'],
    ['Jean-Luc Picard', 'jeanluc'],
    ['Jörg Müller', 'mueller'],
    ['Jo\u0308rg Müller', 'joerg'],
    ['Søren Håkansson', 'soeren'],
    ['山田太郎', '太郎'],
    ['홍길동', '길동'],
    ['สมชาย', 'ชาย'],
  ])('%s is also found as %s', (name, word) => {
    expect(nameWords(name)).toContain(word);
    expect(searchWords(name)).not.toContain(word);
  });

  it('of plain letters has only its own words', () => {
    expect(nameWords('Ann Lee')).toEqual(['ann', 'lee']);
  });
});
