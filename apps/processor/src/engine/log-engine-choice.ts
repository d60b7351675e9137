import { type EngineChoice, formatImprovement } from '@app/speech';

interface InfoLogger {
  info(details: object, message: string): void;
}

/** One line for the choice, and one for what would recognise more. */
export function logEngineChoice(logger: InfoLogger, choice: EngineChoice): void {
  const { engine, recognizer, reason, unusable, improvement, concurrentChunks, provider } = choice;
  const details = {
    ...{ engine, model: recognizer?.name, reason, concurrentChunks: concurrentChunks.count },
    ...(recognizer ? { provider: provider.provider } : {}),
  };
  logger.info(unusable.length > 0 ? { ...details, unusable } : details, 'speech engine chosen');
  if (improvement)
    logger.info({ advice: formatImprovement(improvement) }, 'a better speech engine is available');
}
