// `npm run nx -- ARGUMENTS`: Nx, on a fresh clone too; `npm run nx -- show projects`, `npm run nx -- affected -t lint test`.
import { runNx } from './run-nx.mjs';
import { ensureInstalled } from '../prepare.mjs';

ensureInstalled();
process.exitCode = await runNx(process.argv.slice(2));
