import { readFileSync } from 'node:fs';
import { queryErrors } from './errors.js';

describe('the errors of the query API', () => {
  const description = readFileSync(new URL('../../../../docs/openapi.yaml', import.meta.url), 'utf8');
  const [, problem = ''] = /\n {4}Problem:\n(.*?)\n {4}\w/s.exec(description) ?? [];

  it.each(Object.values(queryErrors))('$code is described in docs/openapi.yaml', ({ code }) => {
    expect(problem.split('\n').map((line) => line.trim())).toContain(`- ${code}`);
  });
});
