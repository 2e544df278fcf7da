import react from '@vitejs/plugin-react';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { LICENCES, licencesOf } from '../../scripts/bundle/licences.mjs';

const site = join(import.meta.dirname, 'dist', 'site');

/** Compressed once here, as small as it gets, and not again for each browser. */
const compressed = {
  name: 'ringdown-compressed',
  closeBundle() {
    for (const file of globSync('**/*.{js,css,html,svg}', { cwd: site })) {
      const bytes = readFileSync(join(site, file));
      writeFileSync(join(site, `${file}.br`), brotliCompressSync(bytes));
      writeFileSync(join(site, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
};

/** Of the packages that browsers get. */
const licences = {
  name: 'ringdown-licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    this.emitFile({ type: 'asset', fileName: LICENCES, source: licencesOf(modules) });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  build: {
    outDir: site,
    emptyOutDir: true,
    // Everything in a file of its own: the content security policy knows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the German texts import: in the file of the page it would wait for the page, which waits for the texts.
            { name: 'language', test: /src\/texts\/(language|plurals)\.ts$/, priority: 1 },
            // What most views share, in one file: a view needs half the requests, and compresses better.
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
  },
  plugins: [react(), licences, compressed],
});
