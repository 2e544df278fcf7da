import type { NextCursor } from './answers.js';
import type { Api } from './api.js';
import type { Query } from './query-text.js';

/** A part of a list, and where the next one begins: all pages of docs/openapi.yaml have this shape. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: NextCursor;
}

export interface PagesOptions {
  readonly path: string;
  readonly query: Query;
  /** Maximum number of pages. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Fetches the pages of a list one after another. Rejects as {@link Api.get} does. */
export async function* listPages<T>(
  api: Pick<Api, 'get'>,
  { path, query, most, signal }: PagesOptions,
): AsyncGenerator<Page<T>> {
  let cursor: string | undefined;
  for (let fetched = 0; fetched < most; fetched++) {
    const page = await api.get<Page<T>>(path, { ...query, cursor }, signal);
    yield page;
    if (page.next === null) return;
    cursor = page.next;
  }
}
