import 'reflect-metadata';
import { runWebService } from '@ringdown/service';
import { aggregator } from './aggregator-service.js';

await runWebService(aggregator);
