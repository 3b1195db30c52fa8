// Tokens of the language, in the order of the language reference, section "Lexical structure".
//
// Two things stand outside of this file because they are properties of bytes and of declarations, not of tokens: text is
// UTF-8 and free of control characters (every byte above 0x7F arrives here as one and the same character, so that the
// lexer's automaton stays small), and names that hold `__` or look like a type are refused where they are declared.
lexer grammar SmeLexer;

// ---------------------------------------------------------------- white space and comments

Space : [ \t\r\n]+ ;
LineComment : '//' ~[\n]* ;
BlockComment : '/*' ( ~'*' | '*'+ ~[*/] )* '*'+ '/' ;
UnterminatedComment : '/*' ( ~'*' | '*'+ ~[*/] )* '*'* ;

// ---------------------------------------------------------------- words of SMEIL: reserved

As : 'as' ;
Assert : 'assert' ;
Async : 'async' ;
Barrier : 'barrier' ;
Break : 'break' ;
Bus : 'bus' ;
Case : 'case' ;
Const : 'const' ;
Default : 'default' ;
Elif : 'elif' ;
Else : 'else' ;
Enum : 'enum' ;
False : 'false' ;
For : 'for' ;
From : 'from' ;
Func : 'func' ;
Generate : 'generate' ;
If : 'if' ;
Import : 'import' ;
In : 'in' ;
Instance : 'instance' ;
Network : 'network' ;
Of : 'of' ;
Out : 'out' ;
Proc : 'proc' ;
Range : 'range' ;
Return : 'return' ;
Switch : 'switch' ;
Sync : 'sync' ;
To : 'to' ;
Trace : 'trace' ;
True : 'true' ;
Var : 'var' ;
While : 'while' ;

// ---------------------------------------------------------------- words added to SMEIL, and its bus properties: contextual
// Each of them is also an identifier (parser rule `identifier`).

Assume : 'assume' ;
Continue : 'continue' ;
Cover : 'cover' ;
Delay : 'delay' ;
Downto : 'downto' ;
Exposed : 'exposed' ;
Extern : 'extern' ;
Flip : 'flip' ;
Hold : 'hold' ;
Serial : 'serial' ;
Sim : 'sim' ;
Stop : 'stop' ;
Struct : 'struct' ;
Type : 'type' ;
Unique : 'unique' ;
Until : 'until' ;
Wait : 'wait' ;

Identifier : [a-zA-Z_] [a-zA-Z_0-9]* ;

// ---------------------------------------------------------------- literals

Integer
    : [0-9] ( '_'* [0-9] )*
    | '0x' [0-9a-fA-F] ( '_'* [0-9a-fA-F] )*
    | '0o' [0-7] ( '_'* [0-7] )*
    | '0b' [01] ( '_'* [01] )*
    ;
Float
    : Digits '.' Digits Exponent?
    | Digits Exponent
    ;
fragment Digits : [0-9] ( '_'* [0-9] )* ;
fragment Exponent : [eE] [+\-]? Digits ;
MalformedNumber : [0-9] [a-zA-Z_0-9]* ( '.' [0-9] [a-zA-Z_0-9]* )? ;

String : '"' ( ~["\\\n] | '\\' ~[\n] )* '"' ;
UnterminatedString : '"' ( ~["\\\n] | '\\' ~[\n] )* '\\'? ;

Undefined : '\'U' ;

// A byte above 0x7F arrives as \u001A.
Character : '\'' ( ~['\\\n\u001A] | '\\' ~[\n\u001A] ) '\'' ;
MalformedCharacter : '\'' ( [a-zA-Z_0-9\u001A] | '\\' ~[\n] )* '\'' ;

// ---------------------------------------------------------------- operators and punctuation

ShiftLeftAssign : '<<=' ;
ShiftRightAssign : '>>=' ;
PlusAssign : '+=' ;
PlusColon : '+:' ;
MinusAssign : '-=' ;
StarAssign : '*=' ;
AndAssign : '&=' ;
OrAssign : '|=' ;
XorAssign : '^=' ;
LogicalAnd : '&&' ;
LogicalOr : '||' ;
ShiftLeft : '<<' ;
ShiftRight : '>>' ;
LessEqual : '<=' ;
GreaterEqual : '>=' ;
Equal : '==' ;
NotEqual : '!=' ;
Plus : '+' ;
Minus : '-' ;
Bang : '!' ;
Tilde : '~' ;
Star : '*' ;
Slash : '/' ;
Percent : '%' ;
Less : '<' ;
Greater : '>' ;
Ampersand : '&' ;
Caret : '^' ;
Pipe : '|' ;
Question : '?' ;
Colon : ':' ;
Assign : '=' ;
Semicolon : ';' ;
Comma : ',' ;
Dot : '.' ;
LeftParen : '(' ;
RightParen : ')' ;
LeftBracket : '[' ;
RightBracket : ']' ;
LeftBrace : '{' ;
RightBrace : '}' ;

// ---------------------------------------------------------------- what is no token

Junk : . ;
