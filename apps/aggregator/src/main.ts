import 'reflect-metadata';
import { runWebService } from '@ringdown/service';
import { aggregator } from './service.js';

await runWebService(aggregator);
