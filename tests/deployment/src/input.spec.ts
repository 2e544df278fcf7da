import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
/** The pipe, and how it checks valid input. */
const PIPE = ['libs/web-server/src/input/input-pipe.ts', 'libs/web-server/src/input/input-rules.ts'];

/** Code that checks or converts an instance, other than the decorators of its class. */
const BY_HAND =
  /^(?:validate(?:Sync|OrReject)?|Validator|ValidationPipe|plainToInstance|plainToClass\w*|getMetadataStorage)$/;
/**
 * Controllers whose bodies are not parameters: requests of a batch, and forms of the token service; and one that answers with a search
 * made of the parameters as they were given, which it has also got as an instance.
 */
const READ_AS_GIVEN = new Set([
  'apps/aggregator/src/http/statistics/suspects.controller.ts',
  'apps/application-people/src/batch/batch.controller.ts',
  'apps/discovery-auth/src/sign-in/token.controller.ts',
]);

/** Imported names that check input without the pipe. */
function checksByHand(source: string): readonly string[] {
  const lists = source.matchAll(
    /import (?:type )?\{([^}]*)\}\s*from '(?:class-validator|class-transformer|@nestjs\/common)'/g,
  );
  const names = [...lists]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().split(' as ', 1)[0] ?? '');
  return names.filter((name) => BY_HAND.test(name));
}

/** Handler arguments without a class for a query or body, and direct reads of the query or body of a request. */
function unreadInput(source: string): readonly string[] {
  const untyped = /@(?:Query|Body|QueryParameters|Parameters)\([^)]*\)\s*[^,)]*?:\s*(?:unknown|object|any|Record)\b/g;
  const raw = /\brequest\.(?:query|body|url)\b|\b(?:JSON\.parse|new URLSearchParams|queryParameters)\(/g;
  return [...source.matchAll(untyped), ...source.matchAll(raw)].map(([found]) => found);
}

describe('input of clients', () => {
  const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT, exclude: (file) => file.endsWith('.spec.ts') });
  const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

  it('is checked only by class-validator in the pipe', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((file) => checksByHand(read(file)).length > 0)).toEqual(PIPE);
  });

  it('reaches handlers as instances of classes', () => {
    const controllers = sources.filter((file) => file.endsWith('.controller.ts'));
    expect(controllers.length).toBeGreaterThan(20);
    expect(new Set(controllers.filter((file) => unreadInput(read(file)).length > 0))).toEqual(READ_AS_GIVEN);
  });

  it.each([
    ['IsString, validateSync', 'class-validator', ['validateSync']],
    ['\n  plainToInstance as make,\n  Transform,\n', 'class-transformer', ['plainToInstance']],
    ['Body, ValidationPipe', '@nestjs/common', ['ValidationPipe']],
    ['IsString, ValidateBy, ValidateIf, ValidateNested', 'class-validator', []],
  ])('is found to be checked by hand with %j of %s: %j', (imported, from, names) => {
    expect(checksByHand(`import {${imported}} from '${from}';`)).toEqual(names);
  });

  it.each([
    ['list(@Query() query: unknown)', 1],
    ['list(@Body() { name }: Record<string, string>)', 1],
    ['const names = Object.keys(request.query);', 1],
    ["const { searchParams } = new URL(request.url, 'http://a');", 1],
    ['const body = JSON.parse(text);', 1],
    ['list(@Query() { limit, cursor }: PageQuery, @Req() request: FastifyRequest)', 0],
    ['send(@QueryParameters() { operationId }: SendQuery, @Headers() headers: unknown)', 0],
  ])('is found to reach a handler without a class in %j: %i', (source, count) => {
    expect(unreadInput(source)).toHaveLength(count);
  });
});
