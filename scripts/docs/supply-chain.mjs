// `npm run docs:supply-chain`: writes the tables of docs/supply-chain.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages.cjs';
import { supplyChainPage } from '../supply/supply-chain-page.mjs';

const file = join(root, 'docs', 'supply-chain.md');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
writeFileSync(file, supplyChainPage(readFileSync(file, 'utf8'), lock));
