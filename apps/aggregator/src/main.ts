import 'reflect-metadata';
import { runWebService } from '@ringdown/service';
import { aggregatorService } from './aggregator-service.js';

await runWebService(aggregatorService);
