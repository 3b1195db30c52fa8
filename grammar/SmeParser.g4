// Syntax of the language. No actions; rules stand in the order of the language reference.
//
// Labels are all that compiler/syntax reads: it has the parser build no parse tree. Chains (of operators, suffixes,
// branches) are loops, so that the recursion of the parser is bounded by the nesting of brackets in the source.
// Which declaration may stand where is looser here than in the language; the builder reports what stands amiss.
parser grammar SmeParser;

options { tokenVocab = SmeLexer; }

// ---------------------------------------------------------------- modules

// smec parses a piece at a time: an item, or of a process or network its head, then each declaration and statement. The rules
// that put these together (module, processDeclaration, networkDeclaration) are for other tools.
module : items+=moduleItem* EOF ;

moduleItem
    : importItem=importDeclaration
    | externItem=externDeclaration
    | processDeclaration
    | networkDeclaration
    | otherItem=declaration
    ;

importDeclaration
    : Import path=qualifiedName ( As alias=identifier )? Semicolon
    | From path=qualifiedName Import names+=identifier ( Comma names+=identifier )* ( As alias=identifier )? Semicolon
    ;

// ---------------------------------------------------------------- names

identifier
    : Identifier
    | Assume | Continue | Cover | Delay | Downto | Exposed | Extern | Flip | Hold | Serial | Sim | Stop | Struct | Type
    | Unique | Until | Wait
    ;

qualifiedName : parts+=identifier ( Dot parts+=identifier )* ;

// ---------------------------------------------------------------- expressions

// Operands in source order; the operator after an operand is the token that follows it. Binding, tight to loose, all
// left-associative (built in syntax/build_expressions.cpp):
//     * / %     + -     << >>     < > <= >=     == !=     & ^ |     &&     ||     c ? a : b (right-associative)
// The operand after a `?` is the one after its colon; `branches` are those between.
expression
    : first=operand
      ( ( Star | Slash | Percent | Plus | Minus | ShiftLeft | ShiftRight | Less | Greater | LessEqual | GreaterEqual
        | Equal | NotEqual | Ampersand | Caret | Pipe | LogicalAnd | LogicalOr )
        rest+=operand
      | Question branches+=expression Colon rest+=operand
      )*
    ;

// Prefix operators are the tokens in front of the primary.
operand : ( Plus | Minus | Bang | Tilde )* inner=primary suffixes+=suffix* ;

primary
    : literal=( Integer | Float | Character | String | True | False | Undefined )
    | name=identifier
    | group=parenthesized
    | array=arrayLiteral
    ;

parenthesized : LeftParen inner=expression RightParen ;

arrayLiteral : LeftBracket elements+=expression ( Comma elements+=expression )* RightBracket ;

suffix
    : Dot member=identifier
    | open=LeftBracket ( star=Star | index=expression ( Colon low=expression | PlusColon width=expression )? ) RightBracket
    | call=LeftParen ( arguments+=argument ( Comma arguments+=argument )* )? RightParen
    ;

argument : ( name=identifier Colon )? value=expression ;

// ---------------------------------------------------------------- types

// name, alias.name, u(e), i(e), type(e), [n][m]T
typeExpression
    : ( opens+=LeftBracket sizes+=expression RightBracket )*
      path=qualifiedName ( LeftParen argument_=expression close=RightParen )?
    ;

boundedType : base=typeExpression bound=rangeBound? ;

rangeBound : Range low=expression To high=expression ;

enumDeclaration
    : Enum name=identifier LeftBrace members+=enumMember ( Comma members+=enumMember )* RightBrace Semicolon?
    ;

enumMember : name=identifier ( Assign value=expression )? ;

typeDeclaration
    : Type name=identifier Colon
      ( kind=( Struct | Bus ) LeftBrace fields+=field+ RightBrace Semicolon?
      | target=boundedType Semicolon
      )
    ;

// The range may stand after the type or, as in SMEIL, after the initialiser; so for variables.
field
    : modifiers+=( Hold | Flip )* name=identifier Colon annotation=typeExpression bounds+=rangeBound?
      ( Assign init=expression bounds+=rangeBound? )? Semicolon
    ;

// ---------------------------------------------------------------- declarations

declaration
    : constItem=constDeclaration
    | enumItem=enumDeclaration
    | typeItem=typeDeclaration
    | functionItem=functionDeclaration
    | busItem=busDeclaration
    | variableItem=variableDeclaration
    | instanceItem=instanceDeclaration
    | generateItem=generateDeclaration
    ;

constDeclaration : Const name=identifier ( Colon annotation=boundedType )? Assign value=expression Semicolon ;

variableDeclaration
    : Var name=identifier Colon annotation=typeExpression bounds+=rangeBound? ( Assign init=expression bounds+=rangeBound? )?
      Semicolon
    ;

// SMEIL lets variables stand in front of a function's body.
functionDeclaration
    : Func name=identifier LeftParen ( params+=functionParameter ( Comma params+=functionParameter )* )? RightParen
      Colon result=boundedType vars+=variableDeclaration* body=block Semicolon?
    ;

functionParameter : name=identifier Colon annotation=boundedType ;

busDeclaration
    : modifiers+=busModifier* Bus name=identifier ( LeftBracket dimensions+=expression RightBracket )*
      ( Colon annotation=typeExpression Semicolon
      | LeftBrace fields+=field+ RightBrace Semicolon?
      )
    ;

busModifier
    : word=( Exposed | Hold | Unique )
    | word=Delay cycles=expression
    ;

instanceDeclaration
    : Instance name=identifier ( LeftBracket indices+=expression RightBracket )* Of entity=qualifiedName
      LeftParen ( arguments+=argument ( Comma arguments+=argument )* )? RightParen Semicolon
    ;

generateDeclaration
    : Generate
      ( variable=identifier Assign from_=expression direction=( To | Until ) to_=expression
        LeftBrace body+=declaration* RightBrace
      | If LeftParen condition=expression RightParen LeftBrace body+=declaration* RightBrace
        ( else_=Else LeftBrace otherwise+=declaration* RightBrace )?
      )
      Semicolon?
    ;

processDeclaration : processHead declaration* block Semicolon? ;

processHead
    : kind=( Sync | Async | Sim )? Proc name=identifier LeftParen ( params+=parameter ( Comma params+=parameter )* )? RightParen
    ;

networkDeclaration : networkHead declaration* RightBrace Semicolon? ;

networkHead
    : Network name=identifier LeftParen ( params+=parameter ( Comma params+=parameter )* )? RightParen LeftBrace
    ;

parameter
    : dimensions+=portDimension* direction=( In | Out ) name=identifier ( Colon portType=typeExpression )?
    | direction=Const name=identifier ( Colon annotation=boundedType )? ( Assign init=expression )?
    ;

portDimension : LeftBracket size=expression? RightBracket ;

externDeclaration
    : Extern
      ( serial=Serial? Func name=identifier
        LeftParen ( functionParams+=functionParameter ( Comma functionParams+=functionParameter )* )? RightParen
        ( Colon result=boundedType )? From header=String
      | Proc name=identifier LeftParen ( params+=parameter ( Comma params+=parameter )* )? RightParen bodies+=foreignBody+
      )
      Semicolon
    ;

foreignBody : language=identifier LeftParen file=String RightParen ;

// ---------------------------------------------------------------- statements

block : LeftBrace statements+=statement* RightBrace ;

// What starts with a contextual word is a statement of that kind only if it cannot be an assignment to a thing of that name.
statement
    : assignment=assignmentStatement
    | variable=variableDeclaration
    | if_=ifStatement
    | for_=forStatement
    | while_=whileStatement
    | switch_=switchStatement
    | simple=simpleStatement
    | return_=returnStatement
    | trace=traceStatement
    | assertion=assertStatement
    | cover=coverStatement
    | stop=stopStatement
    | wait=waitStatement
    | inner=block
    ;

assignmentStatement
    : target=identifier accessors+=accessor*
      op=( Assign | PlusAssign | MinusAssign | StarAssign | AndAssign | OrAssign | XorAssign | ShiftLeftAssign | ShiftRightAssign )
      value=expression Semicolon
    ;

// A suffix without calls: `stop (1);` is no assignment.
accessor
    : Dot member=identifier
    | open=LeftBracket ( star=Star | index=expression ( Colon low=expression | PlusColon width=expression )? ) RightBracket
    ;

ifStatement
    : If LeftParen conditions+=expression RightParen bodies+=block
      ( Elif LeftParen conditions+=expression RightParen bodies+=block )*
      ( Else otherwise=block )?
    ;

forStatement
    : For variable=identifier Assign from_=expression direction=( To | Downto | Until ) to_=expression body=block
    ;

whileStatement : While LeftParen condition=expression RightParen body=block ;

switchStatement
    : Switch subject=expression LeftBrace ( cases+=switchCase | defaults+=defaultCase )* RightBrace
    ;

switchCase : Case labels+=caseLabel ( Comma labels+=caseLabel )* body=block ;

caseLabel : first=expression ( To last=expression )? ;

defaultCase : Default body=block ;

simpleStatement : word=( Break | Continue | Barrier ) Semicolon ;

returnStatement : Return value=expression? Semicolon ;

traceStatement : Trace LeftParen format=String ( Comma arguments+=expression )* RightParen Semicolon ;

// assert(c), assert(c, "text", arguments), assert("text", c, arguments)
assertStatement
    : word=( Assert | Assume ) LeftParen arguments+=expression ( Comma arguments+=expression )* RightParen Semicolon
    ;

coverStatement : Cover LeftParen condition=expression Comma name=String RightParen Semicolon ;

stopStatement : Stop ( LeftParen status=expression RightParen )? Semicolon ;

waitStatement : Wait ( until=Until LeftParen condition=expression RightParen | count=expression )? Semicolon ;
