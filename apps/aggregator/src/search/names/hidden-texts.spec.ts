import { CALL_FIELD_NAMES, filterRow } from '@ringdown/call-catalogue/fields';
import { ALERT_DIMENSIONS, DIMENSIONS } from '@ringdown/call-catalogue/filters';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { getMetadataStorage } from 'class-validator';
import 'reflect-metadata';
import { CallListQuery, ExportQuery } from '../query/call-list-query.js';
import { hiddenText, isClassified, isNumeric, OTHER_PARAMETERS, searchesShownTexts } from './hidden-texts.js';
import { CountQuery, MetricQuery } from '../../http/statistics/statistics-query.js';
import { SuspectsQuery } from '../../http/statistics/suspects-query.js';

const hiding = new IdentityHiding('seed of these very tests');
const DIALLED = '0114915112345678';

describe('a parameter of a search as operators see it who do not see users', () => {
  it.each(['user', 'not.user'])('shows a token in %s, with its domain or without', (parameter) => {
    const token = hiding.token('anna');
    for (const text of [token, `sip:${token}@example.test`, `${token.toLowerCase()}@example.test`]) {
      expect(hiddenText(hiding, parameter, text)).toBe(text);
    }
  });

  it.each(['user', 'not.user'])('replaces a number of 16 digits in %s by a token', (parameter) => {
    const token = hiding.token(DIALLED);
    expect(hiddenText(hiding, parameter, DIALLED)).toBe(token);
    expect(hiddenText(hiding, parameter, `sip:${DIALLED}@gw.example.test`)).toBe(`sip:${token}@gw.example.test`);
  });

  it.each([
    ['maxMos', '5'],
    ['not.minLoss', '0.02'],
    ['from', '2026-11-27T09:00:00Z'],
    ['invitedTo', '2026-11-27T09:00:00Z'],
    ['runningFrom', '2026-11-27T09:00:00Z'],
    ['endCode', '487'],
  ])('shows the number or time of %s', (parameter, text) => {
    expect(hiddenText(hiding, parameter, text)).toBe(text);
  });

  it.each(['invitedBy', 'minName', 'maxGuest', 'not.invited', 'toUser', 'minloss', 'limits'])(
    'is hidden in %s, which begins like a number or a time',
    (parameter) => {
      expect(hiddenText(hiding, parameter, 'anna')).toBe(hiding.field('anna', 'text'));
      expect(isNumeric(parameter)).toBe(false);
    },
  );

  it('replaces a number of 16 digits in words by a mark', () => {
    expect(hiddenText(hiding, 'q', DIALLED)).toBe(`hidden-${hiding.token(DIALLED)}`);
  });
});

describe('a search of an operator who does not see users', () => {
  it.each([
    { user: 'sip:anna@example.test' },
    { caller: 'sip:anna@example.test' },
    { 'not.callee': ['anna'] },
    { hop: 'Anna' },
    { refusedBy: 'anna' },
    { 'not.user': ['anna'] },
    { codec: ['PCMU/8000', 'of Zaphod'] },
    { callId: 'anna@example.test' },
    { device: "Anna's headset" },
  ])('is refused for what results hide: %j', (filters) => {
    expect(searchesShownTexts(hiding, filters)).toBe(false);
  });

  // Written by hand: a rule in the catalogue that shows more must fail here.
  const OF_OUR_WORDS =
    'audio cause coverage diagnosticsCode endCode endReason endedBy errorCode path rangOut transferred'.split(' ');

  it('is refused for a name in every field of records', () => {
    const shown = CALL_FIELD_NAMES.filter((name) => searchesShownTexts(hiding, { [name]: 'Zaphod of Betelgeuse' }));
    expect(shown.toSorted()).toEqual(OF_OUR_WORDS);
  });

  it.each([
    { user: hiding.address('sip:anna@example.test'), state: ['failed'], q: ['anna'], minLoss: 0.1, from: new Date() },
    { frontEnd: ['fe1.example.test'], sort: 'newest', limit: 5, address: '10.0.0.1', last: Infinity },
  ])('is allowed for what results show (%#)', (filters) => {
    expect(searchesShownTexts(hiding, filters)).toBe(true);
  });

  it.each(['nickname', 'not.nickname', 'toString'])(
    'is refused for the filter %s, which nobody has classified',
    (name) => {
      expect(isClassified(name)).toBe(false);
      for (const text of ['anna', hiding.token('anna'), ['true']])
        expect(searchesShownTexts(hiding, { [name]: text })).toBe(false);
    },
  );

  it('has no parameter that another had in an earlier release', () => {
    const others = [...OTHER_PARAMETERS, ...DIMENSIONS, ...ALERT_DIMENSIONS, ...CALL_FIELD_NAMES];
    expect(others).toEqual(expect.arrayContaining(['q', 'by', 'minLoss', 'last', 'site', 'reason']));
    const before = CALL_FIELD_NAMES.flatMap((name) => filterRow(name).before ?? []);
    expect(before.filter((name) => name.startsWith('not.') || others.includes(name))).toEqual([]);
  });

  it.each([CallListQuery, ExportQuery, CountQuery, MetricQuery, SuspectsQuery])(
    'has only classified texts (%p)',
    (query) => {
      const all = getMetadataStorage().getTargetValidationMetadatas(query, '', false, false);
      const names = new Set(all.map(({ propertyName }) => propertyName));
      expect(names.size).toBeGreaterThan(50);
      expect([...names].filter((name) => !isNumeric(name) && !isClassified(name))).toEqual([]);
    },
  );
});
