// Whether a model can carry what a session needs (AUTH-13). Unknown capabilities are never a reason to refuse (HIST-08).
import { AppError } from '../base/app-error.ts';
import type { Model } from './ports.ts';

/** Throws authority.model-unfit when the model is known to take no system prompt, or no tools, where there are some. */
export function assertModelFits(model: Model, needs: { systemPrompt: string; tools: boolean }): void {
  const { capabilities, ref } = model;
  if (capabilities.systemPrompt === false && needs.systemPrompt !== '') {
    throw new AppError(
      'authority.model-unfit',
      `${ref} takes no system prompt, which this chat needs. Pick another model.`,
    );
  }
  if (capabilities.tools === false && needs.tools) {
    throw new AppError('authority.model-unfit', `${ref} cannot call tools, which this chat needs. Pick another model.`);
  }
}
