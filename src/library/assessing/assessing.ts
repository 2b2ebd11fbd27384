import type { CoverageAssessment, CoverageRequest, Preflight, PreflightRequest } from '../model';
import type { Surroundings } from '../surroundings';

/** Tells whether what the library has is enough (seed 003, 4.6, 5.3.1 and 5.3.2). */
export class Assessing {
  constructor(private readonly surroundings: Surroundings) {}

  async assess(request: CoverageRequest): Promise<CoverageAssessment> {
    throw new Error(`${request.topic} ${this.surroundings}`);
  }

  async preflight(request: PreflightRequest): Promise<Preflight> {
    throw new Error(request.workflow_type);
  }
}
