import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { ParameterSource } from './parameter-source.js';

/**
 * The parameters of a query, by their names in lower case: clients use different cases (web-interface.md, section 0).
 */
export function queryParameters(url: string): ReadonlyMap<string, readonly string[]> {
  const start = url.indexOf('?');
  const parameters = new Map<string, string[]>();
  if (start === -1) return parameters;
  for (const [name, value] of new URLSearchParams(asUtf8(url.slice(start + 1)))) {
    const key = name.toLowerCase();
    const others = parameters.get(key);
    // Appended in place: a part of a batch may repeat a parameter a hundred thousand times.
    if (others === undefined) parameters.set(key, [value]);
    else others.push(value);
  }
  return parameters;
}

/** Some clients send letters unescaped; Node then returns one character for each byte. */
function asUtf8(query: string): string {
  const bytes = Buffer.from(query, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : query;
}

/** The parameters of a query; a list of texts for a repeated one. */
export class QuerySource extends ParameterSource {
  constructor(private readonly url: string) {
    super();
  }

  override named(names: readonly string[]): Readonly<Record<string, unknown>> {
    const given = queryParameters(this.url);
    const named = names.flatMap((name): [string, unknown][] => {
      const values = given.get(name.toLowerCase());
      return values === undefined ? [] : [[name, values.length === 1 ? values[0] : values]];
    });
    return Object.fromEntries(named);
  }
}

/**
 * The parameters in the query of a request to interface A, whose names may have any case, as an instance of the class
 * that is the argument's type. Queries of `/api`, whose names are exact, are read with `@Query()`.
 */
export const QueryParameters = createParamDecorator(
  (_data: unknown, context: ExecutionContext) =>
    new QuerySource(context.switchToHttp().getRequest<FastifyRequest>().url),
);
