import { fileURLToPath } from 'node:url';

/** A program as it is deployed: `programFile('aggregator', 'backup')` is made of `apps/aggregator/src/backup/main.ts` (docs/adr/0088). */
export function programFile(workspace: string, name = 'main'): string {
  return fileURLToPath(new URL(`../../../../dist/${workspace}/${name}.js`, import.meta.url));
}
