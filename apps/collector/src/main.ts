import 'reflect-metadata';
import { runService } from '@ringdown/service';
import { collector } from './collector.js';

await runService(collector);
