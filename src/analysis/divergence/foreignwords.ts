// Verbs of tool names in languages other than English (Spanish, Portuguese, French, German, Italian, Dutch), without
// accents. Word lists only; words.ts asks them after the English ones.

/** Verbs that only look. */
export const FOREIGN_READ: ReadonlySet<string> = list(`
  obtener buscar listar encontrar consultar preguntar traer leer describir mostrar ver interpretar calcular contar
  recuperar cargar comprobar verificar validar revisar
  obter ler carregar conferir procurar
  obtenir chercher rechercher lister trouver consulter lire afficher voir calculer recuperer charger compter verifier
  valider controler
  hole holen suche suchen liste finde finden lese lesen zeige zeigen lade laden abfrage abfragen ermittle ermitteln
  berechne berechnen prufe prufen pruefe pruefen
  ottieni ottenere cerca cercare elenca elencare trova trovare leggi leggere mostra calcola calcolare carica verifica
  controlla
  haal zoek vind lees toon bereken controleer`)

/** Verbs and nouns of checks. */
export const FOREIGN_CHECK: ReadonlySet<string> = list(`
  comprobar verificar validar revisar permiso permisos norma politica acceso autorizar conferir permissao politique
  verifier valider controler autorisation prufe prufen pruefe pruefen berechtigung richtlinie verifica controlla permesso
  controleer`)

/** Verbs that change something. */
export const FOREIGN_WRITE: ReadonlySet<string> = list(`
  crear actualizar anular cancelar asignar borrar eliminar fijar enviar aplicar agregar anadir modificar cambiar emitir
  pagar reembolsar reservar cerrar registrar insertar guardar mover copiar transferir aprobar rechazar
  criar atualizar apagar excluir adicionar alterar fechar salvar
  creer modifier supprimer effacer annuler assigner envoyer appliquer ajouter rembourser payer fermer enregistrer
  transferer approuver refuser
  erstelle erstellen aktualisiere aktualisieren losche loschen loesche loeschen storniere stornieren sende senden setze
  setzen andere andern aendere aendern buche buchen erstatte erstatten schliesse schliessen speichere speichern
  uberweise genehmige
  crea creare aggiorna aggiornare elimina eliminare cancella annulla annullare invia inviare applica aggiungi modifica
  paga rimborsa chiudi salva trasferisci
  maak wijzig verwijder annuleer stuur boek betaal sluit`)

function list(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}
