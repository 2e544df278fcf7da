import 'reflect-metadata';
import { runWebService } from '@ringdown/web-service';
import { aggregator } from './service.js';

await runWebService(aggregator);
