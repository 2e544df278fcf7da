import { haveOnePerson, suspectOrder } from './one-person.js';

describe('the person behind a value', () => {
  it('is one who is on nearly all of the calls', () => {
    const of = (own: number, others: number): boolean =>
      haveOnePerson([
        ...Array.from({ length: own }, (_, n) => ['anna', `other ${n}`]),
        ...Array.from({ length: others }, (_, n) => [`third ${n}`, `fourth ${n}`]),
      ]);
    expect(of(8, 2)).toBe(true);
    expect(of(7, 3)).toBe(false);
    expect(haveOnePerson([['anna', 'anna'], ['bob']])).toBe(false);
    expect(haveOnePerson([])).toBe(false);
  });

  it('comes after the others', () => {
    const suspects = [
      { value: 'a', onePerson: true },
      { value: 'b', onePerson: false },
      { value: 'c', onePerson: true },
      { value: 'd', onePerson: false },
    ];
    expect(suspectOrder(suspects).map(({ value }) => value)).toEqual(['b', 'd', 'a', 'c']);
  });
});
