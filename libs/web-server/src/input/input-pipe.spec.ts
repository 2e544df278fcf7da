import type { ArgumentMetadata } from '@nestjs/common';
import { IsDefined, IsOptional, IsString } from 'class-validator';
import { Fault } from '../doors/errors.js';
import {
  FirstValue,
  InputPipe,
  LastValue,
  LeftOutIf,
  NamedBefore,
  QuerySource,
  ReadAs,
  ReadText,
  Renamed,
  WholeNumber,
} from '../doors/input.js';

class SearchQuery {
  @IsDefined({ message: 'name is missing' })
  @IsString()
  name!: string;

  @WholeNumber(1, 100)
  pageSize = 25;

  @LastValue()
  @LeftOutIf((text) => text === '')
  @ReadText('a day like 2026-01-02', (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined), 'time')
  day?: Date;

  @ReadAs('a list of a,b', (value) => (typeof value === 'string' ? value.split(',') : undefined))
  kinds?: readonly string[];

  @IsString()
  @FirstValue()
  first = '';

  @IsString()
  @LastValue()
  last = '';
}

class RenamedQuery {
  @NamedBefore('colour')
  @ReadText('a short text', (text) => (text.length < 9 ? text : undefined), 'text')
  color?: string;

  @Renamed((text) => (text === 'grey' ? 'gray' : text))
  @ReadText('gray', (text) => (text === 'gray' ? text : undefined), 'choice')
  shade?: string;
}

class ListQuery {
  @IsString({ each: true })
  names: readonly unknown[] = [];

  @IsOptional()
  @IsString()
  note?: unknown;
}

class NoQuery {}

const pipe = new InputPipe();

function outcome(value: unknown, metadata: ArgumentMetadata): unknown {
  try {
    return pipe.transform(value, metadata);
  } catch (error) {
    if (error instanceof Fault) return [error.kind, error.details.parameters ?? error.message];
    throw error;
  }
}

function parameters(query: string): unknown {
  return outcome(new QuerySource(`/a?${query}`), { type: 'custom', metatype: SearchQuery });
}

function exactQuery(query: object): unknown {
  return outcome(query, { type: 'query', metatype: SearchQuery });
}

const ANN = { name: 'ann', pageSize: 25, first: '', last: '' };

describe('the pipe for input', () => {
  it('makes an instance with the exact types and the defaults of the class', () => {
    const read = exactQuery({ name: 'ann', pageSize: '7', day: '2026-01-02', kinds: 'a,b' });
    expect(read).toBeInstanceOf(SearchQuery);
    expect(read).toEqual({ ...ANN, pageSize: 7, day: new Date('2026-01-02'), kinds: ['a', 'b'] });
    expect(exactQuery({ name: 'ann' })).toEqual(ANN);
  });

  it('reads a parameter under the name of an earlier release, as if it had the present one', () => {
    const read = (query: object): unknown => outcome(query, { type: 'query', metatype: RenamedQuery });
    expect(read({ colour: 'red' })).toEqual({ color: 'red' });
    expect(read({ color: 'blue', colour: 'red' })).toEqual({ color: 'blue' });
    expect(read({})).toEqual({});
    expect(read({ colour: 'ultramarine' })).toEqual([
      'invalid-parameter',
      [{ name: 'color', reason: 'color must be a short text', code: 'text' }],
    ]);
  });

  it('reads a value under the name of an earlier release', () => {
    const read = (query: object): unknown => outcome(query, { type: 'query', metatype: RenamedQuery });
    expect([read({ shade: 'grey' }), read({ shade: 'gray' })]).toEqual([{ shade: 'gray' }, { shade: 'gray' }]);
    expect(read({ shade: ['grey'] })).toMatchObject(['invalid-parameter', [{ name: 'shade' }]]);
  });

  it('compares names exactly in a plain query and refuses others', () => {
    expect(exactQuery({ Name: 'ann' })).toEqual([
      'invalid-parameter',
      [
        { name: 'name', reason: 'name is missing', code: 'missing' },
        { name: 'Name', reason: 'there is no Name; did you mean name?', code: 'unknown' },
      ],
    ]);
  });

  it('names the nearest known name', () => {
    const [, wrong] = Object(exactQuery({ name: 'ann', nmae: 'x', colour: 'red' }));
    expect(wrong.map(({ reason }: { reason: string }) => reason)).toEqual([
      'there is no nmae; did you mean name?',
      'there is no colour',
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])('refuses %s in a plain query', (name) => {
    const query = Object.fromEntries([
      ['name', 'ann'],
      [name, 'x'],
    ]);
    expect(exactQuery(query)).toEqual([
      'invalid-parameter',
      [{ name, reason: `there is no ${name}`, code: 'unknown' }],
    ]);
  });

  it('names the first twenty of 24,000 unknown names, in a short answer and in little time', () => {
    const names = Array.from({ length: 24_000 }, (_, index) => `unknown${index}`);
    const body = Buffer.from(JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
    const begun = process.cpuUsage();
    const [, wrong] = Object(outcome(body, { type: 'body', metatype: NoQuery }));
    // It was 700 ms.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(400);
    expect(wrong.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 20));
  });

  it('copies none of 24,000 names inside a property', () => {
    const kinds = Object.fromEntries(Array.from({ length: 24_000 }, (_, index) => [`n${index}`, {}]));
    const body = Buffer.from(JSON.stringify({ names: [kinds], note: 'a' }));
    const begun = process.cpuUsage();
    expect(outcome(body, { type: 'body', metatype: ListQuery })).toMatchObject([
      'invalid-parameter',
      [{ name: 'names' }],
    ]);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(400);
  });

  it('shortens an unknown name', () => {
    const long = 'x'.repeat(250_000);
    const shown = `${'x'.repeat(99)}…`;
    expect(exactQuery({ name: 'ann', [long]: '1' })).toEqual([
      'invalid-parameter',
      [{ name: shown, reason: `there is no ${shown}`, code: 'unknown' }],
    ]);
  });

  it('checks each item of a list, and an optional value only if it is there', () => {
    const listed = (query: object): unknown => outcome(query, { type: 'query', metatype: ListQuery });
    expect(listed({ names: ['a', 'b'] })).toEqual({ names: ['a', 'b'] });
    expect(listed({ names: ['a'], note: null })).toEqual({ names: ['a'], note: null });
    const wrong = [
      { name: 'names', reason: 'each value in names must be a string' },
      { name: 'note', reason: 'note must be a string' },
    ];
    expect(listed({ names: ['a', 7], note: 7 })).toEqual(['invalid-parameter', wrong]);
  });

  it('leaves the comparison of names to a source and leaves unknown ones out', () => {
    expect(parameters('NAME=ann&PageSize=3&other=1&__proto__=x')).toEqual({ ...ANN, pageSize: 3 });
  });

  it.each([
    ['pageSize=0', 'pageSize must be a whole number from 1 to 100', 'number'],
    ['pageSize=101', 'pageSize must be a whole number from 1 to 100', 'number'],
    ['pageSize=1e1', 'pageSize must be a whole number from 1 to 100', 'number'],
    ['pageSize=', 'pageSize must be a whole number from 1 to 100', 'number'],
    ['pageSize=1&pageSize=2', 'pageSize is given more than once', 'repeated'],
    ['day=today', 'day must be a day like 2026-01-02', 'time'],
    ['kinds=a&kinds=b', 'kinds must be a list of a,b', undefined],
  ])('names what is wrong in %s', (query, reason, code) => {
    const name = query.split('=', 1)[0];
    expect(parameters(`name=ann&${query}`)).toEqual(['invalid-parameter', [{ name, reason, ...(code && { code }) }]]);
  });

  it('names every wrong parameter', () => {
    expect(parameters('pageSize=x')).toEqual([
      'invalid-parameter',
      [
        { name: 'name', reason: 'name is missing', code: 'missing' },
        { name: 'pageSize', reason: 'pageSize must be a whole number from 1 to 100', code: 'number' },
      ],
    ]);
  });

  it('reads the first or the last of a repeated parameter where the class wants that', () => {
    const repeated = 'first=a&first=b&last=a&last=b&day=x&day=2026-01-02';
    expect(parameters(`name=ann&${repeated}`)).toEqual({ ...ANN, first: 'a', last: 'b', day: new Date('2026-01-02') });
  });

  it('treats an empty text as absent where the class wants that', () => {
    expect(parameters('name=ann&day=')).toEqual(ANN);
  });

  it('refuses every parameter where a class declares none', () => {
    expect(outcome({}, { type: 'query', metatype: NoQuery })).toEqual({});
    expect(outcome({ a: '1' }, { type: 'query', metatype: NoQuery })).toEqual([
      'invalid-parameter',
      [{ name: 'a', reason: 'there is no a', code: 'unknown' }],
    ]);
  });

  it('reads the bytes of a body as JSON', () => {
    const body = (text: string): unknown => outcome(Buffer.from(text), { type: 'body', metatype: SearchQuery });
    expect(body('{"name":"ann","pageSize":"3"}')).toEqual({ ...ANN, pageSize: 3 });
    expect(body('{"name":"ann","pageSize":null}')).toEqual(ANN);
    expect(body('{"name":"ann","pageSize":[1]}')).toEqual([
      'invalid-parameter',
      [{ name: 'pageSize', reason: 'pageSize is given more than once', code: 'repeated' }],
    ]);
    expect(body('"name"')).toEqual(['unreadable-body', 'The body must be a JSON object.']);
  });

  it.each([
    '{"name":"ann","kinds":{"constructor":"x"}}',
    '{"name":"ann","kinds":[1,{"constructor":{}}]}',
    '{"name":"ann","kinds":{"a":{"b":[{"\\u0063onstructor":null}]}}}',
  ])('refuses a constructor inside a property of JSON: %s', (text) => {
    expect(outcome(Buffer.from(text), { type: 'body', metatype: SearchQuery })).toEqual([
      'invalid-parameter',
      [{ name: 'kinds', reason: 'kinds must not contain the name constructor' }],
    ]);
  });

  it.each([
    ['a path', 'a', { type: 'param', metatype: SearchQuery }],
    ['one parameter of a query', 'a', { type: 'query', metatype: String, data: 'name' }],
    ['an argument of another decorator', 'a', { type: 'custom', metatype: Object }],
    ['the bytes of a body', Buffer.from('a'), { type: 'body', metatype: Buffer }],
  ] as const)('passes %s on as it is', (_what, value, metadata) => {
    expect(pipe.transform(value, metadata)).toBe(value);
  });

  it('reports a handler that declares no class for its parameters', () => {
    const transform = (): unknown => pipe.transform(new QuerySource('/a'), { type: 'custom', metatype: Object });
    expect(transform).toThrow('the parameters of a request must have a class that declares them');
  });

  it('reads a query that repeats one parameter a hundred thousand times in linear time', () => {
    const begun = process.cpuUsage();
    parameters(`name=ann&${'kinds=a&'.repeat(100_000)}`);
    // A fraction of a second; where time grows with the square of the length, it would be minutes.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });
});
