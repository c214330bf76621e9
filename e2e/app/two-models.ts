import { rmSync } from "node:fs";
import { linkSlowModel } from "../slow-model";
import { temporaryFolder } from "./simmer-app";

/** A folder in which no model is the obvious one. */
export class TwoModels implements AsyncDisposable {
  readonly folder = temporaryFolder();

  static async make(): Promise<TwoModels> {
    const models = new TwoModels();
    await linkSlowModel(models.folder, "simmer-slow");
    await linkSlowModel(models.folder, "slow-too");
    return models;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
