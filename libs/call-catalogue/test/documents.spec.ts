import { readFileSync } from 'node:fs';
import { generatedParts, withPart } from '../src/generate/documents.js';

const ROOT = new URL('../../../../', import.meta.url);

describe('parts of documents that follow from the rows', () => {
  it.each(generatedParts())('are current: "$name" of $file (npm run docs:catalogue)', (part) => {
    const content = readFileSync(new URL(part.file, ROOT), 'utf8');
    expect(withPart(content, part)).toBe(content);
  });

  it('are refused where a file has no place for them', () => {
    expect(() => withPart('# Nothing\n', { file: 'x.md', name: 'metrics', text: '' })).toThrow(
      'x.md has no part "generated: metrics"',
    );
  });
});
